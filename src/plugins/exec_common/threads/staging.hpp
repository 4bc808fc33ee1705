// Runs segments of owner plans, and of plans of chains, in scratch rows, into which the rows that a thread owns are
// copied; they are copied back, the rest is forgotten.
#pragma once

#include <span>

#include "threads.hpp"

namespace op2::exec_threads {

// Where rows that are met one after the other have their slots.
class SlotTable {
 public:
  // For at most so many rows.
  void clear(int rows);
  // The slot of the row, a new one if it has none.
  int32_t of(int32_t row) {
    constexpr uint32_t golden = 0x9e3779b9u; // neighbouring rows get places far from each other
    uint32_t at = (static_cast<uint32_t>(row) * golden) >> shift_;
    while (entries_[at].row != row) {
      if (entries_[at].row < 0) {
        entries_[at] = {row, static_cast<int32_t>(rows_.size())};
        rows_.push_back(row);
        break;
      }
      at = (at + 1) & mask_;
    }
    return entries_[at].slot;
  }
  const std::vector<int32_t> &rows() const { return rows_; } // by slot

 private:
  struct Entry {
    int32_t row, slot;
  };
  std::vector<Entry> entries_; // by the row's hash; a power of two of them, at most two thirds in use
  std::vector<int32_t> rows_;
  uint32_t mask_ = 0;
  int shift_ = 0;
};

// A thread's scratch rows in place of the dats, of one loop.
class Staging {
 public:
  // memory: at a cache line, as much as run.owner says.
  Staging(const Run &run, char *memory);
  // A record for partial results that belong to another part.
  char *dropped_record();
  void run(const op_exec_segment &segment, char *record);

 private:
  std::ptrdiff_t columns() const { return plan_.group_offset[plan_.ngroups]; }
  void run_elements(const op_exec_segment &segment);
  void find_table(const op_exec_segment &segment);
  void find_own(const op_exec_segment &segment, int group);
  // The thread's own rows of a group, by slot.
  std::span<const int32_t> rows(const op_exec_segment &segment, int group) const;
  // The slot of what others own.
  int32_t others(const op_exec_segment &segment, int group) const;
  void point_at_scratch(const op_exec_segment &segment);
  void copy_staged(const op_exec_segment &segment, bool back);
  void copy_direct(const op_exec_segment &segment, bool back);

  const Run &run_;
  const op_exec_plan &plan_;
  const OwnerLayout &layout_;
  ThreadArgs args_;
  char *memory_;
  const int32_t *table_ = nullptr; // of the present segment
  // In chains: the rows of each group, and the table, which kernels take for a map.
  std::vector<SlotTable> own_;
  std::vector<int32_t> made_;
};

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
