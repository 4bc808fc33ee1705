#include <algorithm>

#include "exec_seq.hpp"
#include "plugins/exec_common/host.hpp"
#include "plugins/exec_common/in_order.hpp"

namespace op2::exec_seq {

namespace {

void run_blocks(op_exec *exec, const op_exec_kernel *kernel, const op_exec_call *call) {
  op_range_arg args[OP_MAX_ARGS];
  std::copy_n(call->args, kernel->signature->nargs, args);
  const op_range_ctx ctx{sizeof(op_range_ctx),      args, kernel->signature->nargs, 0, kernel->element,
                         kernel->signature->layouts};
  exec_common::run_blocks(*kernel->signature->reduce, *call, exec->record, args, [&](int32_t begin, int32_t end) {
    kernel->range(&ctx, begin, end);
    if (call->progress) call->progress(call->progress_context);
  });
}

} // namespace

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  try {
    const op_exec_signature &signature = *kernel->signature;
    const op_range_ctx ctx{sizeof(op_range_ctx), call->args, signature.nargs, 0, kernel->element, signature.layouts};
    if (signature.reduce)
      run_blocks(exec, kernel, call);
    else if (!call->progress)
      kernel->range(&ctx, call->begin, call->end);
    else
      exec_common::in_pieces(call->begin, call->end, exec_common::piece_of(*call, 1), [&](int32_t begin, int32_t end) {
        kernel->range(&ctx, begin, end);
        if (end < call->end) call->progress(call->progress_context);
      });
  } catch (...) {
    return exec_common::kernel_failed(exec->host);
  }
  return OP_OK;
}

} // namespace op2::exec_seq

// SPDX-License-Identifier: MIT
