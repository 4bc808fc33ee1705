#include "exec_seq.hpp"

namespace op2::exec_seq {

op_status kernel_create(op_exec *, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    *kernel = new op_exec_kernel_s{source->range, source->element, source->form, signature};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return OP_ERR_MEMORY;
  }
}

void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return kernel->form.c_str(); }

op_status kernel_range(op_exec *exec, op_exec_kernel *kernel, op_range_fn range, const char *form) {
  try {
    kernel->form = form;
    kernel->range = range;
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the name of a form");
  }
}

// Blocks only give the partial sums their shape; they are the same on every executor, so the bits of a sum are too.
op_status kernel_plan_request(op_exec *, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  request->plan = kernel->signature->reduce ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  request->block_size = 0;
  return OP_OK;
}

} // namespace op2::exec_seq

// SPDX-License-Identifier: MIT
