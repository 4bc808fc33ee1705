// Elements that run in order: as blocks with partial results, or as pieces between which messages progress.
#pragma once

#include <cstring>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_common {

// Points reduced arguments and payloads into a record.
inline void point_into(const op_exec_reduce &reduce, char *record, op_range_arg *args) {
  for (int32_t place = 0; place < reduce.count; ++place) args[reduce.arg[place]].base = record + reduce.offset[place];
}

// Calls run(begin, end) for each block of the plan, on a record of its own, and combines the records in the order of
// the blocks: sums have these bits on every executor that runs in order. record: scratch memory; args: the kernel's
// arguments.
template <class Run>
void run_blocks(const op_exec_reduce &reduce, const op_exec_call &call, std::vector<char> &record, op_range_arg *args,
                const Run &run) {
  record.resize(reduce.record_bytes);
  point_into(reduce, record.data(), args);
  std::memcpy(call.reduce_result, call.reduce_start, reduce.record_bytes);
  for (int32_t block = 0; block < call.plan->nblocks; ++block) {
    std::memcpy(record.data(), call.reduce_start, reduce.record_bytes);
    run(call.plan->block_offset[block], call.plan->block_offset[block + 1]);
    reduce.combine(&reduce, call.reduce_result, record.data());
  }
}

// Some messages progress only in calls of op_exec_call::progress. The calling thread makes them between pieces of this
// many elements, if `threads` threads share the loop. All pieces but the last consist of whole vectors.
inline int64_t piece_of(const op_exec_call &call, int threads) {
  constexpr int64_t pieces = 16, unit = 1024;
  return ((int64_t{call.end} - call.begin) / threads / pieces / unit + 1) * unit;
}

// Calls run(from, to) for each piece, in order.
template <class Run>
void in_pieces(int32_t begin, int32_t end, int64_t piece, const Run &run) {
  int64_t at = begin;
  for (; end - at > piece; at += piece) run(static_cast<int32_t>(at), static_cast<int32_t>(at + piece));
  run(static_cast<int32_t>(at), end);
}

} // namespace op2::exec_common

// SPDX-License-Identifier: MIT
