// Runs segments of owner plans in scratch rows, into which the rows that a thread owns are copied; they are copied
// back, the rest is forgotten.
#pragma once

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

// The slots of a group in a table, of which op_exec_plan.slot_offset has the begin and the end.
int64_t slots_of(const op_exec_plan &plan, const int64_t *offset);

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
  void find_table(const op_exec_segment &segment);
  void find_in_runs(const op_exec_segment &segment);
  void find_own(const op_exec_segment &segment);
  int64_t slots(const op_exec_segment &segment, int group) const;
  const int64_t *offset(const op_exec_segment &segment, int group) const {
    return plan_.slot_offset + static_cast<std::ptrdiff_t>(segment.staged) * plan_.ngroups + group;
  }
  void point_at_scratch(const op_exec_segment &segment);
  void copy_staged(const op_exec_segment &segment, bool back);
  void copy_direct(const op_exec_segment &segment, bool back);

  const Run &run_;
  const op_exec_plan &plan_;
  const OwnerLayout &layout_;
  ThreadArgs args_;
  char *memory_;
  const int32_t *table_ = nullptr;        // of the present segment
  std::vector<int32_t> own_, own_offset_; // the rows of each group, if the segment has no table
  std::vector<int32_t> made_;             // from a short one, for kernels, which take it for a map
};

} // namespace op2::exec_openmp
