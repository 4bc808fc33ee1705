// random.hpp: the order in which blocks and threads run, from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fake {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
  template <class T>
  void shuffle(std::vector<T> &items) {
    for (std::size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[next() % i]);
  }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ >> 16;
  }

 private:
  std::uint64_t state_;
};

} // namespace fake

// SPDX-License-Identifier: MIT
