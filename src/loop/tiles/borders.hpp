// Tiles of a chain whose meshes are in good order, in the time of one pass over each map, however many loops there are.
//
// Where elements that follow each other reach rows that follow each other, the rows that tiles up to n have finished
// are the first so many of each set. So a tile is known by one border in each set, and the border of a loop's piece by
// two tables of its maps: the highest row that elements up to here reach, and the lowest that elements from here on do.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "loop/tiles/segments.hpp"

namespace op2::core {

// Of elements that reach rows of one set through some columns, by blocks of elements.
struct ReachTable {
  static constexpr int block = 64;
  struct Rows {
    int lowest, highest;
  };
  std::vector<Rows> of_block;
  std::vector<int> highest; // of the elements up to the end of each block
  std::vector<int> lowest;  // of the elements from the beginning of each block on
  double disorder = 0;      // rows by which the highest so far exceeds an element's highest, on average
};

// The tables of a chain, made when they are first asked for.
class ReachTables {
 public:
  const ReachTable &of(const ChainLoop &loop, int set);

 private:
  using Key = std::vector<std::pair<const int *, int>>; // columns and steps
  std::map<std::pair<int, Key>, ReachTable> tables_;    // by elements and columns
};

// As tile_chain(). Nothing if rows are in no such order: then tiles would be far from equal.
std::optional<ChainTiles> tile_by_borders(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles,
                                          ReachTables &tables);

} // namespace op2::core

// SPDX-License-Identifier: MIT
