// Shared by the files of this executor.
#pragma once

#include <new>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"

struct op_exec_s {
  const op_host_v1 *host;
  std::vector<char> record; // partial result of one block
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  std::string form;
  const op_exec_signature *signature;
};

namespace op2::exec_seq {

// memory.cpp; none of these uses op_exec, so other CPU executors may inherit them
op_status mem_alloc(op_exec *, op_space space, size_t bytes, void **p);
void mem_free(op_exec *, op_space space, void *p);
op_status mem_copy(op_exec *, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done);
op_status mem_zero(op_exec *, op_space space, void *p, size_t bytes);

// kernel.cpp
op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_range(op_exec *exec, op_exec_kernel *kernel, op_range_fn range, const char *form);
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request);

// loop.cpp
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call);

} // namespace op2::exec_seq

// SPDX-License-Identifier: MIT
