// plugin.cpp: executor "faraway", the proof that the tables fit a device with memory and a queue of its own.
#include <cstdlib>
#include <new>

#include "exec_faraway.hpp"

namespace op2::exec_faraway {

bool fails(op_exec *exec, const char *entry) {
  const char *const value = std::getenv("FARAWAY_FAILS");
  const std::string wanted = value ? value : "";
  const std::size_t colon = wanted.find(':');
  if (wanted != exec->to_fail) {
    exec->to_fail = wanted;
    exec->calls_left = colon == std::string::npos ? 0 : std::atoi(wanted.c_str() + colon + 1);
  }
  return wanted.substr(0, colon) == entry && exec->calls_left > 0 && --exec->calls_left == 0;
}

op_status failed(op_exec *exec) {
  return exec->host->fail(exec->host, OP_ERR_PLUGIN, "it fails here because FARAWAY_FAILS says so");
}

bool refuses() { return std::getenv("FARAWAY_REFUSES") != nullptr; }

namespace {

op_status open(const op_exec_params *params, op_exec **exec) {
  if (params->size < sizeof(op_exec_params) || !params->host) fault("open: the parameters are incomplete");
  *exec = new (std::nothrow) op_exec_s{};
  if (!*exec) return params->host->fail(params->host, OP_ERR_MEMORY, "no memory for the executor");
  (*exec)->host = params->host;
  return OP_OK;
}

void close(op_exec *exec) {
  if (!exec->jobs.empty()) fault("close: work is waiting");
  if (!exec->near_blocks.empty() || !exec->far_blocks.empty()) fault("close: memory was not freed");
  if (!exec->events.empty()) fault("close: events were not freed");
  if (!exec->kernels.empty()) fault("close: kernels were not freed");
  if (!exec->halos.empty()) fault("close: halos were not freed");
  delete exec;
}

op_status caps(op_exec *, op_exec_caps *caps) {
  if (caps->size < sizeof(op_exec_caps)) fault("caps: the struct is incomplete");
  caps->space = OP_SPACE_PRIVATE;
  caps->separate_memory = 1;
  caps->transport[0] = OP_SPACE_PRIVATE;
  caps->transport[1] = OP_SPACE_HOST;
  caps->asynchronous = 1;
  caps->deterministic = 1;
  caps->concurrency = 1;
  caps->device_text = refuses();
  return OP_OK;
}

int score(const op_host_v1 *) { return 1; }

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
  t.loop_run = loop_run;
  t.reduce_wait = reduce_wait;
  t.event_wait = event_wait;
  t.event_query = event_query;
  t.event_free = event_free;
  t.halo_upload = halo_upload;
  t.halo_free = halo_free;
  t.halo_pack = halo_pack;
  t.halo_unpack = halo_unpack;
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_EXEC,
                                 0,
                                 "faraway",
                                 "memory and a queue of its own, for tests",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

} // namespace op2::exec_faraway

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_faraway::plugin; }

// SPDX-License-Identifier: MIT
