// SHA-256 (FIPS 180-4): names of cached code and proof that a file holds what was written to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace op2::core {

using Digest = std::array<unsigned char, 32>;

class Sha256 {
 public:
  Sha256 &add(std::string_view bytes);
  // The bytes with their number in front, so that ("ab", "c") and ("a", "bc") differ.
  Sha256 &add_field(std::string_view bytes);
  Digest digest() const; // of all that was added so far

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::uint64_t length_ = 0; // bytes added
};

Digest sha256(std::string_view bytes);

// The first `digits` hexadecimal digits.
std::string hex(const Digest &digest, std::size_t digits = 64);

} // namespace op2::core

// SPDX-License-Identifier: MIT
