// Which elements of a chain's loops run late, once copies of other processes' rows have come: those that reach copies,
// those that read what late elements have made, and those that change what late elements have touched. All others may
// run while messages travel.
//
// Where elements are dealt out by rows, a row of which an element waits for copies is late as a whole, and so is one
// that late elements of earlier loops have touched. An element that changes late rows and others runs twice.
#pragma once

#include <span>
#include <vector>

#include "loop/tiles/extents.hpp"
#include "loop/tiles/segments.hpp"

namespace op2::core {

class LateRows {
 public:
  explicit LateRows(std::span<const int> rows);

  // For each loop, in their order: find(), then questions about its elements, then note().
  void find(const ChainLoop &loop, const LoopExtents &extents, bool needs_copies);
  void note(const ChainLoop &loop);

  // Whether some element of the block runs late (see extents.hpp for blocks).
  bool any_in(int block) const { return in_block_[static_cast<std::size_t>(block)] != 0; }
  // Whether the element waits for copies; of a loop with cuts, all elements between two of them do or none.
  bool waits(int element) const { return (of_[static_cast<std::size_t>(element)] & waiting) != 0; }
  // Whether the block between two cuts is reduced late, where elements are dealt out by rows.
  bool reduced_late(int element) const { return (of_[static_cast<std::size_t>(element)] & reduced) != 0; }
  // Of a row that the element changes, where elements are dealt out by rows.
  bool late(const Reach &reach, int element) const { return at(reach, element) != 0; }

 private:
  static constexpr char no = 0, waiting = 1, reduced = 2, runs = 4; // of elements
  static constexpr char changed = 1, read = 2;                      // of rows
  char at(const Reach &reach, int e) const {
    return rows_[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(reached_row(reach, e))];
  }
  void mark(const Reach &reach, int e, char bit);
  bool reaches_late(const ChainLoop &loop, const LoopExtents &extents, int block) const;
  bool must_wait(const ChainLoop &loop, int e) const;
  void join_blocks(const ChainLoop &loop);

  std::vector<std::vector<char>> rows_;   // of each set: what late elements have done to the row
  std::vector<std::vector<char>> blocks_; // whether to some row of the block
  bool touched_ = false;                  // some row
  std::vector<char> of_;                  // of each element of the loop
  std::vector<char> in_block_;            // of each block of it
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
