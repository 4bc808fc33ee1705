#include <cstring>
#include <exception>

#include "exec_seq.hpp"

namespace op2::exec_seq {

namespace {

void run_blocks(op_exec *exec, const op_exec_kernel *kernel, const op_exec_call *call) {
  const op_exec_reduce &reduce = *kernel->signature->reduce;
  op_range_arg args[OP_MAX_ARGS];
  std::memcpy(args, call->args, sizeof args[0] * static_cast<size_t>(kernel->signature->nargs));
  exec->record.resize(reduce.record_bytes);
  for (int32_t place = 0; place < reduce.count; ++place)
    args[reduce.arg[place]].base = exec->record.data() + reduce.offset[place];
  const op_range_ctx ctx{sizeof(op_range_ctx),      args, kernel->signature->nargs, 0, kernel->element,
                         kernel->signature->layouts};
  std::memcpy(call->reduce_result, call->reduce_start, reduce.record_bytes);
  for (int32_t block = 0; block < call->plan->nblocks; ++block) {
    std::memcpy(exec->record.data(), call->reduce_start, reduce.record_bytes);
    kernel->range(&ctx, call->plan->block_offset[block], call->plan->block_offset[block + 1]);
    reduce.combine(&reduce, call->reduce_result, exec->record.data());
    if (call->progress) call->progress(call->progress_context);
  }
}

// While messages are under way, in pieces: whole vectors of any length, so that all but the last run as in one.
void run_range(const op_exec_kernel *kernel, const op_range_ctx *ctx, const op_exec_call *call) {
  constexpr int32_t pieces = 16, unit = 1024;
  const int64_t piece = (static_cast<int64_t>(call->end - call->begin) / pieces / unit + 1) * unit;
  int64_t at = call->begin;
  for (; call->progress && at + piece < call->end; at += piece) {
    kernel->range(ctx, static_cast<int32_t>(at), static_cast<int32_t>(at + piece));
    call->progress(call->progress_context);
  }
  kernel->range(ctx, static_cast<int32_t>(at), call->end);
}

} // namespace

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call, op_event *) {
  try {
    if (kernel->signature->reduce) {
      run_blocks(exec, kernel, call);
    } else {
      const op_range_ctx ctx{sizeof(op_range_ctx),      call->args, kernel->signature->nargs, 0, kernel->element,
                             kernel->signature->layouts};
      run_range(kernel, &ctx, call);
    }
  } catch (const std::exception &thrown) {
    return exec->host->fail(exec->host, OP_ERR_KERNEL, thrown.what());
  } catch (...) {
    return exec->host->fail(exec->host, OP_ERR_KERNEL, "the kernel threw an exception that is not a std::exception");
  }
  return OP_OK;
}

} // namespace op2::exec_seq
