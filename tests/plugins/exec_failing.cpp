// exec_failing.cpp: an executor that fails where FAIL_AT says ("mem_alloc", "loop_run", ...) and works otherwise. It
// has separate memory, so that every copy the core makes goes through it, and events for its loops.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "op2/plugin/exec.h"

struct op_exec_s {
  const op_host_v1 *host;
};
struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
};
struct op_event_s {
  int unused;
};

namespace {

bool told_to_fail(const char *entry) {
  const char *name = std::getenv("FAIL_AT");
  return name && std::strcmp(name, entry) == 0;
}

op_status fail(const op_host_v1 *host, op_status code) { return host->fail(host, code, "the device fell off the bus"); }

int open_contexts = 0;

op_status open_failing(const op_exec_params *params, op_exec **exec) {
  if (open_contexts > 0) return params->host->fail(params->host, OP_ERR_INTERNAL, "the context before was not closed");
  if (told_to_fail("open")) return fail(params->host, OP_ERR_BACKEND);
  *exec = new (std::nothrow) op_exec_s{params->host};
  if (!*exec) return OP_ERR_MEMORY;
  ++open_contexts;
  return OP_OK;
}
void close_failing(op_exec *exec) {
  --open_contexts;
  delete exec;
}

op_status caps(op_exec *exec, op_exec_caps *caps) {
  if (told_to_fail("caps")) return fail(exec->host, OP_ERR_PLUGIN);
  caps->space = OP_SPACE_PRIVATE;
  caps->separate_memory = 1;
  caps->transport[0] = OP_SPACE_HOST;
  caps->deterministic = 1;
  caps->concurrency = 1;
  return OP_OK;
}

op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p) {
  if (told_to_fail(space == OP_SPACE_HOST ? "mem_alloc host" : "mem_alloc far")) return fail(exec->host, OP_ERR_MEMORY);
  *p = exec->host->alloc(bytes, 64);
  return *p ? OP_OK : OP_ERR_MEMORY;
}
void mem_free(op_exec *exec, op_space, void *p) { exec->host->free(p); }

op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space, size_t bytes,
                   op_event *done) {
  if (told_to_fail("mem_copy")) return fail(exec->host, OP_ERR_PLUGIN);
  if (told_to_fail("mem_copy to far") && to_space != OP_SPACE_HOST) return fail(exec->host, OP_ERR_PLUGIN);
  if (bytes > 0) std::memcpy(to, from, bytes);
  *done = new (std::nothrow) op_event_s{0};
  return OP_OK;
}
op_status mem_zero(op_exec *exec, op_space, void *p, size_t bytes) {
  if (told_to_fail("mem_zero")) return fail(exec->host, OP_ERR_PLUGIN);
  if (bytes > 0) std::memset(p, 0, bytes);
  return OP_OK;
}

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  if (told_to_fail("kernel_create")) return fail(exec->host, OP_ERR_UNSUPPORTED);
  if (told_to_fail("kernel_create without a word")) return OP_ERR_UNSUPPORTED;
  *kernel = new (std::nothrow) op_exec_kernel_s{source->range, source->element, signature};
  return *kernel ? OP_OK : OP_ERR_MEMORY;
}
void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }
const char *kernel_form(op_exec *, const op_exec_kernel *) { return nullptr; } // says nothing about itself

op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *, op_exec_plan_request *) {
  return told_to_fail("kernel_plan_request") ? fail(exec->host, OP_ERR_PLUGIN) : OP_OK;
}

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  const op_exec_signature &signature = *kernel->signature;
  op_range_arg args[OP_MAX_ARGS];
  std::memcpy(args, call->args, sizeof args[0] * static_cast<size_t>(signature.nargs));
  if (signature.reduce) {
    std::memcpy(call->reduce_result, call->reduce_start, signature.reduce->record_bytes);
    for (int32_t place = 0; place < signature.reduce->count; ++place)
      args[signature.reduce->arg[place]].base =
          static_cast<char *>(call->reduce_result) + signature.reduce->offset[place];
  }
  const op_range_ctx ctx{sizeof(op_range_ctx), args, signature.nargs, 0, kernel->element, nullptr};
  kernel->range(&ctx, call->begin, (call->begin + call->end + 1) / 2); // half of it is done when the failure comes
  if (told_to_fail("loop_run")) return fail(exec->host, OP_ERR_PLUGIN);
  kernel->range(&ctx, (call->begin + call->end + 1) / 2, call->end);
  return OP_OK;
}

op_status reduce_wait(op_exec *exec, op_exec_kernel *) {
  return told_to_fail("reduce_wait") ? fail(exec->host, OP_ERR_PLUGIN) : OP_OK;
}
op_status event_wait(op_exec *exec, op_event) {
  return told_to_fail("event_wait") ? fail(exec->host, OP_ERR_PLUGIN) : OP_OK;
}
int event_query(op_exec *, op_event) { return 1; }
void event_free(op_exec *, op_event event) { delete event; }

int score(const op_host_v1 *) { return 1; }

constexpr op_exec_ops_v1 ops = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open_failing;
  t.close = close_failing;
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
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_EXEC,
                                 0,
                                 "failing",
                                 "fails where it is told to",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
