// reduce.cpp: loops that reduce values. Partial results have a shape that depends on the number of elements alone, so
// the bits of a sum are the same in every run and on every device.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>

#include "kernel.hpp"
#include "launch/chain.hpp"

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

bool goes_on(const op_exec_call &call) {
  return call.size >= offsetof(op_exec_call, goes_on) + sizeof call.goes_on && call.goes_on != 0;
}

void combine_records(const op_exec_kernel &kernel, const op_exec_call &call, const char *records, size_t count) {
  const size_t bytes = kernel.signature->reduce->record_bytes;
  if (!goes_on(call)) std::memcpy(call.reduce_result, call.reduce_start, bytes);
  for (size_t i = 0; i < count; ++i) combine(kernel, call.reduce_result, records + i * bytes);
}

// The same for records in which only the reduced values mean something.
void combine_values(op_exec_kernel &kernel, const op_exec_call &call, const char *records, size_t count) {
  const op_exec_reduce &reduce = *kernel.signature->reduce;
  kernel.host_record.resize(reduce.record_bytes);
  if (!goes_on(call)) std::memcpy(call.reduce_result, call.reduce_start, reduce.record_bytes);
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(kernel.host_record.data(), call.reduce_start, reduce.record_bytes);
    for (int32_t place = 0; place < reduce.count; ++place) {
      const op_exec_arg &arg = kernel.signature->args[reduce.arg[place]];
      std::memcpy(kernel.host_record.data() + reduce.offset[place],
                  records + i * reduce.record_bytes + reduce.offset[place], exec_common::row_bytes(arg));
    }
    combine(kernel, call.reduce_result, kernel.host_record.data());
  }
}

// Waits for the records, but not in a chain.
void take_results(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call, const PartialResults &partial) {
  if (exec.chain) return exec.chain->reduce_later(kernel, call, partial);
  kernel.host_records.resize(partial.count * kernel.signature->reduce->record_bytes);
  fetch(exec, kernel.host_records.data(), partial.address, kernel.host_records.size());
  combine_partial(kernel, call, partial, kernel.host_records.data());
}

// Memory for records that the host will look at: kernels of a chain may occur several times in it.
CUdeviceptr results_of(op_exec &exec, std::unique_ptr<Device> &block, size_t bytes) {
  return exec.chain ? exec.chain->results(bytes) : room(exec, block, bytes).address();
}

CUdeviceptr send_start(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const size_t bytes = kernel.signature->reduce->record_bytes;
  if (exec.chain) return exec.chain->send(call.reduce_start, bytes);
  const Device &start = room(exec, kernel.start, bytes);
  exec.upload->put(start.address(), call.reduce_start, bytes);
  return start.address();
}

} // namespace

void combine_partial(op_exec_kernel &kernel, const op_exec_call &call, const PartialResults &partial,
                     const char *records) {
  if (partial.values)
    combine_values(kernel, call, records, partial.count);
  else
    combine_records(kernel, call, records, partial.count);
}

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
  const CUdeviceptr results = results_of(exec, kernel.results, ranges.size() * bytes);
  for (size_t i = 0; i < ranges.size(); ++i) {
    variant.put(layout.result, results + i * bytes);
    launch_range(exec, kernel, ranges[i]);
  }
  take_results(exec, kernel, call, {results, ranges.size(), true});
}

// Each thread runs a block of the plan.
void run_plan_blocks(op_exec &exec, op_exec_kernel &kernel, const op_exec_call &call) {
  const op_exec_plan &plan = *call.plan;
  const int32_t all[] = {0, plan.nblocks};
  const bool colours = kernel.variant().code.method == Method::colours;
  const int32_t *const border = colours ? plan.colour_offset : all;
  const size_t count = static_cast<size_t>(plan.nblocks);
  const CUdeviceptr records = results_of(exec, kernel.records, count * kernel.signature->reduce->record_bytes);
  LaunchVariant &variant = kernel.variant();
  variant.put(variant.code.params.record_start, send_start(exec, kernel, call));
  variant.put(variant.code.params.records, records);
  for (int32_t colour = 0; colour < (colours ? plan.ncolours : 1); ++colour) {
    const int32_t begin = border[colour], end = border[colour + 1];
    const unsigned grid = (static_cast<unsigned>(end - begin) + few_threads - 1) / few_threads;
    if (end > begin) launch_range(exec, kernel, {begin, end, grid, few_threads});
  }
  take_results(exec, kernel, call, {records, count, false});
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
