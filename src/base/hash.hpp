// Hashing of loop signatures: FNV-1a over 64-bit words with a final mix; only equality within one process matters.
#pragma once

#include <cstdint>
#include <string_view>

namespace op2::core {

class Hash {
 public:
  Hash &add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3ull;
    state_ ^= state_ >> 29;
    return *this;
  }
  Hash &add(const void *pointer) { return add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer))); }
  Hash &add(std::string_view word) {
    for (const char c : word) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return add(static_cast<std::uint64_t>(word.size()));
  }
  std::uint64_t value() const { return state_ * 0x9e3779b97f4a7c15ull; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
