// Which rows blocks of elements reach: so that an inspector looks at elements one by one only where it must.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "loop/tiles/segments.hpp"

namespace op2::core {

inline constexpr int extent_block = 256; // elements, and rows, of a block
inline constexpr int widest_extent = 64; // blocks of rows; beyond, looking at each element is as fast

// The rows that a block of elements reaches lie between these.
struct Extent {
  int least, most;
  int first_block() const { return least / extent_block; }
  int last_block() const { return most / extent_block; }
  bool wide() const { return last_block() - first_block() > widest_extent; }
};

inline int reached_row(const Reach &reach, int element) {
  return reach.column ? reach.column[static_cast<std::ptrdiff_t>(element) * reach.step] : element;
}

// Of columns of maps, each found once for each number of elements.
class Extents {
 public:
  // The extents of the blocks of elements 0 to size; NULL: elements reach the rows with their own numbers.
  const Extent *of(const Reach &reach, int size) {
    if (!reach.column) return nullptr;
    std::vector<Extent> &extents = known_[{reach.column, size}];
    for (int b = static_cast<int>(extents.size()); b * extent_block < size; ++b) {
      const int begin = b * extent_block, end = std::min(begin + extent_block, size);
      Extent extent{reached_row(reach, begin), 0};
      for (int e = begin; e < end; ++e) {
        extent.least = std::min(extent.least, reached_row(reach, e));
        extent.most = std::max(extent.most, reached_row(reach, e));
      }
      extents.push_back(extent);
    }
    return extents.data();
  }

 private:
  std::map<std::pair<const int *, int>, std::vector<Extent>> known_;
};

// Of the loop that an inspector looks at.
class LoopExtents {
 public:
  void find(const ChainLoop &loop, Extents &extents) {
    size_ = loop.size;
    of_reach_.clear();
    for (const Reach &reach : loop.reaches) of_reach_.push_back(extents.of(reach, loop.size));
  }
  int end_of(int b) const { return std::min((b + 1) * extent_block, size_); }
  Extent at(std::size_t reach, int b) const {
    return of_reach_[reach] ? of_reach_[reach][b] : Extent{b * extent_block, end_of(b) - 1};
  }

 private:
  int size_ = 0;
  std::vector<const Extent *> of_reach_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
