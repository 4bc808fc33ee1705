#include "base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace op2::core {

namespace {

constexpr std::array<std::uint32_t, 64> round_words = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(const unsigned char *bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void compress(std::array<std::uint32_t, 8> &state, const unsigned char *block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = word_at(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t early = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t late = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + early + w[t - 7] + late;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + round_words[t] + w[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

} // namespace

Sha256 &Sha256::add(std::string_view bytes) {
  std::size_t filled = static_cast<std::size_t>(length_ % 64);
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (filled == 0 && bytes.size() >= 64) { // whole blocks need no copy
      compress(state_, reinterpret_cast<const unsigned char *>(bytes.data()));
      bytes.remove_prefix(64);
      continue;
    }
    const std::size_t count = std::min(bytes.size(), 64 - filled);
    std::memcpy(block_.data() + filled, bytes.data(), count);
    bytes.remove_prefix(count);
    filled = (filled + count) % 64;
    if (filled == 0) compress(state_, block_.data());
  }
  return *this;
}

Sha256 &Sha256::add_field(std::string_view bytes) {
  std::array<char, 8> size;
  for (std::size_t i = 0; i < 8; ++i) size[i] = static_cast<char>(bytes.size() >> (8 * i) & 0xff);
  return add({size.data(), size.size()}).add(bytes);
}

Digest Sha256::digest() const {
  Sha256 last = *this; // one bit, zeros, and the length in bits as the last eight bytes of a block
  const std::uint64_t bits = length_ * 8;
  const std::size_t zeros = static_cast<std::size_t>((119 - length_ % 64) % 64);
  std::string end("\x80");
  end.append(zeros, '\0');
  for (int i = 7; i >= 0; --i) end.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  last.add(end);
  Digest out;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<unsigned char>(last.state_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
  return out;
}

Digest sha256(std::string_view bytes) { return Sha256().add(bytes).digest(); }

std::string hex(const Digest &digest, std::size_t digits) {
  static constexpr std::string_view signs = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : digest) {
    out.push_back(signs[byte >> 4]);
    out.push_back(signs[byte & 15]);
  }
  out.resize(std::min(digits, out.size()));
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
