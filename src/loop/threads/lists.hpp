// The schedule of a chain on threads: the tiles of a chain (segments.hpp), with the elements of each tile dealt out to
// lists (parts.hpp), which threads run at the same time. Whatever the tiles and the lists, results are those of loop
// after loop: a list runs its elements in the order of the tiles, and waits for lists whose rows it takes over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loop/threads/parts.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

// The columns through which a loop changes rows, in groups as in op_exec_plan; none if its elements stay whole.
struct ChainColumns {
  std::vector<int> group_offset = {0}, map, column;
  std::vector<int> reach; // of each column: its number among the reaches of the loop
  // The element at each place, if loops are described in the order in which their elements run; empty: places are
  // numbers of elements. Blocks have elements that follow each other.
  std::span<const int> order = {};
};

// What lists run of one loop. A segment in which a list shares elements with others has bits, as in op_exec_plan.own:
// which elements the list runs, and which of the rows that they change are its own.
struct ListedLoop {
  std::vector<op_exec_segment> segments;
  std::vector<std::uint32_t> own;
  std::vector<int> group_offset = {0}, column_map, column; // as in op_exec_plan
  // If other lists run the other blocks of the loop: the numbers of these, ascending. A segment's block is a place
  // here.
  bool some_blocks = false;
  std::vector<int> blocks = {};
  int columns() const { return group_offset.back(); }
  // Of a segment with bits: where they begin, and how many each element has.
  static int word(const op_exec_segment &segment) { return segment.staged < 0 ? -2 - segment.staged : segment.staged; }
  int bits(const op_exec_segment &segment) const { return columns() + (segment.staged < 0 ? 0 : 1); }
  // place: of the element in such a segment.
  bool runs(const op_exec_segment &segment, int place) const {
    return segment.staged < 0 || bit(segment, place * bits(segment));
  }
  bool owns(const op_exec_segment &segment, int place, int local) const {
    return bit(segment, place * bits(segment) + bits(segment) - columns() + local);
  }
  int elements(const op_exec_segment &segment) const; // that the list runs
  // The same loop without segments, and a segment of `from` added to it.
  ListedLoop without_segments() const { return {{}, {}, group_offset, column_map, column}; }
  void add(const ListedLoop &from, op_exec_segment segment);
  void number_blocks(); // fills `blocks` from segments with numbers of the loop's blocks

 private:
  bool bit(const op_exec_segment &segment, int i) const {
    return own[static_cast<std::size_t>(word(segment) + i / 32)] >> (i % 32) & 1u;
  }
};

struct ChainLists {
  std::vector<ListedLoop> loops;
  std::vector<op_exec_chain_step> steps;
  std::vector<op_exec_chain_wait> waits;
  std::vector<op_exec_chain_list> lists; // without those that are empty
  std::vector<int> part;                 // of each step that is a task: whose rows it works on; else empty
  bool awaits = false;                   // the first list has no steps: it is done when copies have come
  double longest = 1;                    // work of the thread that has most, relative to an equal share
};

// What a list runs of a loop: segments [first, last).
struct LoopPiece {
  int list, first, last;
};
// Cuts a whole loop into what each of so many lists runs of it; its segments are added to `out`.
std::vector<LoopPiece> cut_loop(const ChainLoop &loop, const ChainColumns &columns, const LoopShares &shares, int lists,
                                ListedLoop &out);

// What a list runs of a loop in a tile: segments [first, last).
struct TilePiece {
  int list, tile, loop, first, last;
};
// Of all tiles, in their order; the segments are added to out[loop].
std::vector<TilePiece> cut_tiles(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns,
                                 const ChainTiles &tiles, const ChainParts &parts, std::span<ListedLoop> out);

double bytes_of(const ChainLists &lists); // that it takes

// columns: of each loop. Loops with ElementRuns::once and cuts get a segment for each block.
ChainLists list_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
                      const ChainParts &parts);

} // namespace op2::core

// SPDX-License-Identifier: MIT
