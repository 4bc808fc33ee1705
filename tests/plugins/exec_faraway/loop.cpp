// loop.cpp: a loop takes what it needs with it into the queue, and its reduced values stay far away until reduce_wait.
#include <cstring>
#include <exception>
#include <memory>

#include "exec_faraway.hpp"

namespace op2::exec_faraway {

namespace {

// Everything of a call that the core may change or free once loop_run has returned.
struct Run {
  op_exec_kernel *kernel;
  std::vector<op_range_arg> args;
  std::vector<std::vector<char>> globals; // values that are read, as they are now
  std::vector<char> start;
  op_exec_plan plan{};
  int32_t begin = 0, end = 0;
};

void take_map(op_exec *exec, op_range_arg &arg, int32_t end, const char *what) {
  const std::size_t columns = arg.count > 0 ? static_cast<std::size_t>(arg.count) : 1;
  const std::size_t entries =
      end > 0 ? static_cast<std::size_t>(end - 1) * static_cast<std::size_t>(arg.map_stride) + columns : 0;
  arg.map = reinterpret_cast<const int *>(reach(exec, arg.map, entries * sizeof(int), what));
}

void take_rows(op_exec *exec, op_range_arg &arg, const op_exec_arg &about) {
  if (arg.stride < static_cast<std::ptrdiff_t>(about.dim) * about.type_size)
    fault("loop_run: rows are longer than their stride");
  const std::size_t bytes = static_cast<std::size_t>(about.rows) * static_cast<std::size_t>(arg.stride);
  arg.base = reach(exec, arg.base, bytes, "loop_run: the rows of an argument are not in far memory");
}

void take_global(op_range_arg &arg, const op_exec_arg &about, std::vector<char> &values) {
  if (about.reduction >= 0) {
    if (arg.base) fault("loop_run: a reduced argument has an address already");
    return;
  }
  if (!arg.base || is_far(arg.base)) fault("loop_run: a global that is read is not on the host");
  values.assign(arg.base, arg.base + static_cast<std::size_t>(about.dim) * static_cast<std::size_t>(about.type_size));
  arg.base = values.data();
}

void take_arg(op_exec *exec, Run &run, std::size_t i) {
  op_range_arg &arg = run.args[i];
  const op_exec_arg &about = run.kernel->signature->args[i];
  if (arg.kind != about.kind || arg.access != about.access || arg.dim != about.dim)
    fault("loop_run: an argument is not what kernel_create was told");
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      take_rows(exec, arg, about);
      break;
    case OP_RANGE_INDIRECT:
    case OP_RANGE_VECTOR:
      take_rows(exec, arg, about);
      take_map(exec, arg, run.end, "loop_run: the map of an argument is not in far memory");
      break;
    case OP_RANGE_GLOBAL:
      take_global(arg, about, run.globals[i]);
      break;
    case OP_RANGE_MAP_INDEX:
      take_map(exec, arg, run.end, "loop_run: the map of an index is not in far memory");
      break;
    case OP_RANGE_INDEX:
      break;
    case OP_RANGE_ABSENT:
      if (arg.base) fault("loop_run: an argument that is off has an address");
      break;
    default:
      fault("loop_run: an argument of unknown kind");
  }
}

void call_kernel(Run &run, int32_t begin, int32_t end) {
  const op_range_ctx ctx{sizeof(op_range_ctx), run.args.data(), run.kernel->signature->nargs, 0,
                         run.kernel->element,  nullptr};
  run.kernel->range(&ctx, begin, end);
}

// One partial result per block, combined in the order of the blocks: the bits are those of seq.
void run_blocks(Run &run) {
  const op_exec_reduce &reduce = *run.kernel->signature->reduce;
  std::vector<char> record(reduce.record_bytes);
  for (int32_t place = 0; place < reduce.count; ++place)
    run.args[static_cast<std::size_t>(reduce.arg[place])].base = record.data() + reduce.offset[place];
  run.kernel->result = run.start;
  for (int32_t block = 0; block < run.plan.nblocks; ++block) {
    record.assign(run.start.begin(), run.start.end());
    call_kernel(run, run.plan.block_offset[block], run.plan.block_offset[block + 1]);
    reduce.combine(&reduce, run.kernel->result.data(), record.data());
  }
}

op_status run_now(op_exec *exec, Run &run) {
  try {
    if (run.kernel->signature->reduce)
      run_blocks(run);
    else
      call_kernel(run, run.begin, run.end);
    return OP_OK;
  } catch (const std::exception &thrown) {
    return exec->host->fail(exec->host, OP_ERR_KERNEL, thrown.what());
  } catch (...) {
    return exec->host->fail(exec->host, OP_ERR_KERNEL, "the kernel threw an exception that is not a std::exception");
  }
}

} // namespace

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  if (!exec->kernels.count(kernel)) fault("loop_run: the kernel is not alive");
  if (fails(exec, "loop_run")) return failed(exec);
  if (call->size < sizeof(op_exec_call) || call->begin < 0 || call->end > kernel->signature->set_size)
    fault("loop_run: the call is incomplete or outside its set");
  if (call->plan->begin != call->begin || call->plan->end != call->end)
    fault("loop_run: the plan is for another range");
  const auto run = std::make_shared<Run>();
  const std::size_t nargs = static_cast<std::size_t>(kernel->signature->nargs);
  run->kernel = kernel;
  run->args.assign(call->args, call->args + nargs);
  run->globals.resize(nargs);
  run->plan = *call->plan;
  run->begin = call->begin;
  run->end = call->end;
  for (std::size_t i = 0; i < nargs; ++i) take_arg(exec, *run, i);
  kernel->result_place = call->reduce_result;
  if (const op_exec_reduce *reduce = kernel->signature->reduce) {
    if (!call->reduce_start || !call->reduce_result) fault("loop_run: there is no record to reduce into");
    const char *start = static_cast<const char *>(call->reduce_start);
    run->start.assign(start, start + reduce->record_bytes);
  }
  return enqueue(exec, nullptr, [exec, run] { return run_now(exec, *run); });
}

op_status reduce_wait(op_exec *exec, op_exec_kernel *kernel) {
  const op_status status = fails(exec, "reduce_wait") ? failed(exec) : finish_all(exec);
  if (!kernel->result_place || !kernel->signature->reduce) fault("reduce_wait: this kernel reduces nothing");
  if (status == OP_OK) std::memcpy(kernel->result_place, kernel->result.data(), kernel->result.size());
  return status;
}

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
