// kernel.cpp: kernels are the program's own functions; far away they are called with near addresses.
#include <cstdlib>
#include <cstring>
#include <new>

#include "exec_faraway.hpp"

namespace op2::exec_faraway {

namespace {

// With FARAWAY_REFUSES every other loop: as a device whose compiler does not take all kernels.
bool refused(const op_exec_source &source, const op_exec_signature &signature) {
  if (!refuses()) return false;
  const op_exec_text *const text = source.device;
  if (!text || text->size < sizeof(op_exec_text) || !text->text || !text->why || *text->why)
    fault("kernel_create: a kernel without text, or an incomplete one");
  if (!std::strstr(text->text, "struct op2_program : op2_declared")) fault("kernel_create: the text lacks its program");
  size_t sum = 0;
  for (const char *c = signature.name; *c; ++c) sum += static_cast<unsigned char>(*c);
  return sum % 2 == 1;
}

} // namespace

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  if (source->size < sizeof(op_exec_source) || !source->range) fault("kernel_create: the source is incomplete");
  if (signature->size < sizeof(op_exec_signature) || !signature->name || (signature->nargs > 0 && !signature->args))
    fault("kernel_create: the signature is incomplete");
  if (fails(exec, "kernel_create")) return failed(exec);
  if (refused(*source, *signature))
    return exec->host->fail(exec->host, OP_ERR_UNSUPPORTED, "this kernel is not to its taste");
  *kernel = new (std::nothrow)
      op_exec_kernel_s{source->range, source->element, source->range_is_native != 0, signature, {}, nullptr};
  if (!*kernel) return OP_ERR_MEMORY;
  exec->kernels.insert(*kernel);
  return OP_OK;
}

void kernel_free(op_exec *exec, op_exec_kernel *kernel) {
  if (finish_all(exec) != OP_OK) fault("work failed that waited when a kernel was freed");
  if (exec->kernels.erase(kernel) == 0) fault("a kernel is freed that is not alive");
  delete kernel;
}

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) {
  return kernel->native_range ? "range, far away" : "element, far away";
}

// With FARAWAY_ASKS_AGAIN it never settles on a plan.
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  if (fails(exec, "kernel_plan_request")) return failed(exec);
  request->again = std::getenv("FARAWAY_ASKS_AGAIN") ? 1 : 0;
  request->plan = kernel->signature->reduce ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  request->block_size = 0;
  return OP_OK;
}

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
