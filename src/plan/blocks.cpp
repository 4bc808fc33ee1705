#include "plan/blocks.hpp"

#include <algorithm>

namespace op2::core {

// Why these numbers. Generated code starts and folds the lanes of its sums in every block, which costs as much as some
// 40 elements of a light kernel: blocks of a mesh of 40 000 elements must have several hundred. 64 blocks of them keep
// tens of threads busy; loops that collide have no blocks of that size but owners of rows, or larger ones by colour.
// Below 64 elements the call of a block and the cache lines it shares with its neighbours begin to show; above 1024
// nothing is gained, and the rows a block touches (about 100 kB for a flux kernel) would no longer fit a private cache.
// Eight doubles are a cache line and the widest vector, so direct data of blocks meet at line borders.
int default_block_size(int elements) {
  constexpr int blocks_wanted = 64, smallest = 64, largest = 1024, granule = 8;
  const int size = std::clamp(elements / blocks_wanted, smallest, largest);
  return (size + granule - 1) / granule * granule;
}

std::vector<int> split_blocks(int begin, int end, int block_size) {
  std::vector<int> offset;
  if (begin < end) {
    const auto elements = static_cast<std::size_t>(end) - static_cast<std::size_t>(begin);
    const auto size = static_cast<std::size_t>(block_size);
    offset.reserve((elements + size - 1) / size + 1);
    offset.push_back(begin);
    // compares what is left, since begin + block_size may not fit an int
    for (int at = begin; end - at > block_size; offset.push_back(at)) at += block_size;
    offset.push_back(end);
  } else {
    offset.push_back(begin);
  }
  return offset;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
