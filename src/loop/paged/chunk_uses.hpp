// Which chunks of dats and maps the loops of a chain touch, unit by unit. Copies of other processes' rows
// stay in memory and do not count (mesh/paged/kept_rows.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/loop.hpp"
#include "loop/paged/page_plan.hpp"
#include "loop/tiles/extents.hpp"

namespace op2::core {

class ChunkUses {
 public:
  // The arrays of these loops that are paged by `pager`; loops[l] is the loop of calls l.
  ChunkUses(std::span<Loop *const> loops, const ChunkStore &pager);

  std::span<const PagedArrayUse> arrays() const { return uses_; }
  int pager_number(int array) const { return numbers_[static_cast<std::size_t>(array)]; }

  // Adds what elements [begin, end) of loop l touch to the present unit.
  void add(int loop, int begin, int end);
  std::int64_t chunks() const { return count_; } // of the present unit, so far
  UnitUses take();                               // ends the unit
  // Gives back what was added since mark().
  void mark() { undo_.clear(); }
  void undo();

 private:
  struct Access { // of one argument
    int array;    // -1: all of it stays in memory
    std::size_t row_bytes;
    Reach reach; // only the column
    int size;    // elements that have an entry there
    bool writes;
  };
  int number_of(int pager_number);
  void leave_out_kept(const Dat &dat);
  void add_access(std::vector<Access> &out, int pager_number, std::size_t row_bytes, const Map *map, int column,
                  bool writes);
  void note_first_access(const Loop &loop);
  void touch(const Access &access, std::int64_t first_row, std::int64_t last_row);
  void touch_through(const Access &access, int begin, int end);

  const ChunkStore &pager_;
  Extents extents_;
  std::vector<std::vector<Access>> loops_;
  std::vector<int> numbers_; // of the pager
  std::vector<PagedArrayUse> uses_;
  std::vector<char> accessed_; // by an earlier loop
  // Of the present unit: 1 = read, 2 = written, by array and chunk; 4 = always in memory.
  std::vector<std::vector<std::uint8_t>> touched_;
  std::vector<std::pair<std::int64_t, std::int64_t>> span_; // of each array: chunks [first, last) with marks
  struct Undo {
    int array;
    std::int64_t chunk;
    std::uint8_t before;
  };
  std::vector<Undo> undo_;
  std::int64_t count_ = 0;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
