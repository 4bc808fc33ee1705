// Loops that reduce, block by block in the order of the elements. Their sums have these bits on every executor that
// runs elements in order.
#pragma once

#include <cstring>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_common {

// Points the reduced arguments and the payloads into a record.
inline void point_into(const op_exec_reduce &reduce, char *record, op_range_arg *args) {
  for (int32_t place = 0; place < reduce.count; ++place) args[reduce.arg[place]].base = record + reduce.offset[place];
}

// Calls run(begin, end) for each block of the plan. `record` holds the partial result of one block, `args` are what the
// kernel gets.
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

} // namespace op2::exec_common
