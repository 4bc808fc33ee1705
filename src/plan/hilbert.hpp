// hilbert.hpp: the place of a cell of a grid along the Hilbert curve that fills the grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace op2::core {

// The position of cell x in a grid of 2^bits cells in each of `dim` directions, dim * bits <= 64 (J. Skilling,
// Programming the Hilbert curve, 2004). Without branches, since half of them would be mispredicted.
template <std::size_t dim, int bits>
std::uint64_t hilbert_position(std::array<std::uint32_t, 3> x) {
  for (int bit = bits - 1; bit > 0; --bit) {
    const std::uint32_t below = (1u << bit) - 1;
    for (std::size_t i = 0; i < dim; ++i) {
      const std::uint32_t set = 0u - ((x[i] >> bit) & 1u);
      const std::uint32_t exchanged = (x[0] ^ x[i]) & below & ~set;
      x[0] ^= exchanged | (below & set);
      x[i] ^= exchanged;
    }
  }
  for (std::size_t i = 1; i < dim; ++i) x[i] ^= x[i - 1];
  std::uint32_t flips = 0;
  for (int bit = bits - 1; bit > 0; --bit) flips ^= ((1u << bit) - 1) & (0u - ((x[dim - 1] >> bit) & 1u));
  std::uint64_t position = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (std::size_t i = 0; i < dim; ++i) position = position << 1 | (((x[i] ^ flips) >> bit) & 1u);
  return position;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
