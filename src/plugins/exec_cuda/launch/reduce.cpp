// reduce.cpp: loops that reduce values. Partial results have a shape that depends on the number of elements alone, so
// the bits of a sum are the same in every run and on every device.
#include <algorithm>
#include <cstring>
#include <exception>

#include "kernel.hpp"

namespace op2::exec_cuda {

namespace {

constexpr unsigned most_tree_blocks = 1024; // enough for any device, and few records for the last block to fold
constexpr unsigned few_threads = 32;        // threads of a block: few, so that they spread over the device

// A reduction of the program's own may throw.
void combine(const op_exec_kernel &kernel, void *into, const void *later) {
  const op_exec_reduce &reduce = *kernel.signature->reduce;
  try {
    reduce.combine(&reduce, into, later);
  } catch (const std::exception &thrown) {
    throw Failure(OP_ERR_KERNEL, std::string("a reduction threw an exception: ") + thrown.what());
  }
}

// Waits, and combines `count` records in order.
void combine_records(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call, const Device &from,
                     size_t count) {
  const size_t bytes = kernel.signature->reduce->record_bytes;
  kernel.host_records.resize(count * bytes);
  fetch(exec, kernel.host_records.data(), from.address(), count * bytes);
  std::memcpy(call.reduce_result, call.reduce_start, bytes);
  for (size_t i = 0; i < count; ++i) combine(kernel, call.reduce_result, kernel.host_records.data() + i * bytes);
}

// The same for records in which only the reduced values mean something.
void combine_values(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call, const Device &from, size_t count) {
  const op_exec_reduce &reduce = *kernel.signature->reduce;
  kernel.host_records.resize(count * reduce.record_bytes);
  kernel.host_record.resize(reduce.record_bytes);
  fetch(exec, kernel.host_records.data(), from.address(), count * reduce.record_bytes);
  std::memcpy(call.reduce_result, call.reduce_start, reduce.record_bytes);
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(kernel.host_record.data(), call.reduce_start, reduce.record_bytes);
    for (int32_t place = 0; place < reduce.count; ++place) {
      const op_exec_arg &arg = kernel.signature->args[reduce.arg[place]];
      std::memcpy(kernel.host_record.data() + reduce.offset[place],
                  kernel.host_records.data() + i * reduce.record_bytes + reduce.offset[place],
                  exec_common::row_bytes(arg));
    }
    combine(kernel, call.reduce_result, kernel.host_record.data());
  }
}

void start_records(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call, size_t count) {
  const size_t bytes = kernel.signature->reduce->record_bytes;
  const Device &start = room(exec, kernel.start, bytes);
  exec.upload->put(start.address(), call.reduce_start, bytes);
  LaunchVariant &variant = kernel.variant();
  variant.put(variant.code.params.record_start, start.address());
  variant.put(variant.code.params.records, room(exec, kernel.records, count * bytes).address());
}

} // namespace

// Each launch leaves one record.
void run_tree(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const size_t bytes = kernel.signature->reduce->record_bytes;
  LaunchVariant &variant = kernel.variant();
  const ParamLayout &layout = variant.code.params;
  std::vector<Range> ranges = ranges_of(kernel, call);
  unsigned most = 0;
  for (Range &range : ranges) {
    if (!is_staged(variant.code.method)) range.grid = std::min(range.grid, most_tree_blocks);
    most = std::max(most, range.grid);
  }
  for (const ParamLayout::Start &start : layout.starts)
    std::memcpy(variant.params.data() + start.offset, static_cast<const char *>(call.reduce_start) + start.in_record,
                start.bytes);
  variant.put(layout.records, room(exec, kernel.records, most * variant.code.record_bytes).address());
  if (!kernel.counter) {
    kernel.counter = std::make_unique<Device>(exec.driver, sizeof(unsigned));
    const unsigned zero = 0;
    exec.upload->put(kernel.counter->address(), &zero, sizeof zero);
  }
  variant.put(layout.counter, kernel.counter->address());
  const Device &results = room(exec, kernel.results, ranges.size() * bytes);
  for (size_t i = 0; i < ranges.size(); ++i) {
    variant.put(layout.result, results.address() + i * bytes);
    launch_range(exec, kernel, ranges[i]);
  }
  combine_values(exec, kernel, call, results, ranges.size());
}

// Each thread runs a block of the plan.
void run_plan_blocks(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const op_exec_plan &plan = *call.plan;
  const int32_t all[] = {0, plan.nblocks};
  const bool colours = kernel.variant().code.method == Method::colours;
  const int32_t *const border = colours ? plan.colour_offset : all;
  start_records(exec, kernel, call, static_cast<size_t>(plan.nblocks));
  for (int32_t colour = 0; colour < (colours ? plan.ncolours : 1); ++colour) {
    const int32_t begin = border[colour], end = border[colour + 1];
    const unsigned grid = (static_cast<unsigned>(end - begin) + few_threads - 1) / few_threads;
    if (end > begin) launch_range(exec, kernel, {begin, end, grid, few_threads});
  }
  combine_records(exec, kernel, call, *kernel.records, static_cast<size_t>(plan.nblocks));
}

} // namespace op2::exec_cuda
