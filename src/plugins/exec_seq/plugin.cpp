// Executor "seq": one core, always there. Its memory and kernel entries also serve as parent for other CPU executors.
#include "exec_seq.hpp"
#include "plugins/builtin.hpp"
#include "plugins/exec_common/host.hpp"

namespace op2::exec_seq {

namespace {

op_status open(const op_exec_params *params, op_exec **exec) {
  *exec = new (std::nothrow) op_exec_s{params->host, {}};
  return *exec ? OP_OK : params->host->fail(params->host, OP_ERR_MEMORY, "no memory for the executor");
}

void close(op_exec *exec) { delete exec; }

op_status caps(op_exec *, op_exec_caps *caps) {
  caps->space = OP_SPACE_HOST;
  caps->separate_memory = 0;
  caps->transport[0] = OP_SPACE_HOST;
  caps->asynchronous = 0;
  caps->deterministic = 1;
  caps->concurrency = 1;
  caps->host_code = 1;
  caps->layouts = 1;
  caps->layout = OP_LAYOUT_AOS; // measured: docs/layouts.md
  caps->reproducible = 1;
  return OP_OK;
}

int score(const op_host_v1 *) { return 10; }

constexpr op_exec_ops_v1 ops = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.mem_alloc = mem_alloc;
  t.mem_free = mem_free;
  t.mem_copy = mem_copy;
  t.mem_zero = mem_zero;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.kernel_range = kernel_range;
  t.loop_run = loop_run;
  return t;
}();

constexpr op_plugin_v1 plugin = exec_common::describe("seq", "one core, elements in order", "", nullptr, score, &ops);

} // namespace

} // namespace op2::exec_seq

const op_plugin_v1 *op2::core::exec_seq_plugin() { return &op2::exec_seq::plugin; }

// SPDX-License-Identifier: MIT
