/* small_exec.c: the smallest executor, in C: own kernels and loops, memory from its parent seq. Macros turn it into the
 * plugins that must be refused, one defect each; tests/plugins/CMakeLists.txt has the list. */
#include <stddef.h>
#include <string.h>

#include "op2/plugin/exec.h"

#ifndef SMALL_NAME
#define SMALL_NAME "small"
#endif
#ifndef SMALL_SUMMARY
#define SMALL_SUMMARY "elements in order, one partial result"
#endif
#ifndef SMALL_KIND
#define SMALL_KIND OP_PLUGIN_EXEC
#endif
#ifndef SMALL_ABI
#define SMALL_ABI OP2_PLUGIN_ABI
#endif
#ifndef SMALL_API
#define SMALL_API OP2_PLUGIN_API
#endif
#ifndef SMALL_SIZE
#define SMALL_SIZE sizeof(op_plugin_v1)
#endif
#ifndef SMALL_PARENT
#define SMALL_PARENT "seq"
#endif
#ifndef SMALL_SCORE
#define SMALL_SCORE 1
#endif

struct op_exec_s {
  const op_host_v1 *host;
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
};

static op_status open_small(const op_exec_params *params, op_exec **exec) {
#ifdef SMALL_OPEN_FAILS
  (void)exec;
  return params->host->fail(params->host, OP_ERR_BACKEND, "the small device is busy");
#else
  *exec = params->host->alloc(sizeof(struct op_exec_s), 64);
  if (!*exec) return OP_ERR_MEMORY;
  (*exec)->host = params->host;
  return OP_OK;
#endif
}

static void close_small(op_exec *exec) { exec->host->free(exec); }

static op_status caps(op_exec *exec, op_exec_caps *out) {
  (void)exec;
  out->space = OP_SPACE_HOST;
  out->transport[0] = OP_SPACE_HOST;
  out->deterministic = 1;
  out->concurrency = 1;
#ifdef SMALL_HOST_CODE
  out->host_code = 1;
#endif
#ifdef SMALL_LAYOUT
  out->host_code = 1;
  out->layouts = 1;
  out->layout = SMALL_LAYOUT;
#endif
  return OP_OK;
}

static op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                               op_exec_kernel **kernel) {
  *kernel = exec->host->alloc(sizeof(struct op_exec_kernel_s), 64);
  if (!*kernel) return OP_ERR_MEMORY;
  (*kernel)->range = source->range;
  (*kernel)->element = source->element;
  (*kernel)->signature = signature;
  return OP_OK;
}

static void kernel_free(op_exec *exec, op_exec_kernel *kernel) { exec->host->free(kernel); }

static const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel) {
  (void)exec, (void)kernel;
  return "small";
}

static op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  (void)exec, (void)kernel;
  request->plan = OP_PLAN_NONE;
  return OP_OK;
}

#ifndef SMALL_NO_LOOP_RUN
static op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  const op_exec_signature *signature = kernel->signature;
  op_range_arg args[OP_MAX_ARGS];
  op_range_ctx ctx = {sizeof(op_range_ctx), NULL, 0, 0, NULL, NULL};
  (void)exec;
  memcpy(args, call->args, sizeof args[0] * (size_t)signature->nargs);
  if (signature->reduce) {
    memcpy(call->reduce_result, call->reduce_start, signature->reduce->record_bytes);
    for (int32_t place = 0; place < signature->reduce->count; ++place)
      args[signature->reduce->arg[place]].base = (char *)call->reduce_result + signature->reduce->offset[place];
  }
  ctx.args = args;
  ctx.nargs = signature->nargs;
  ctx.element = kernel->element;
#ifdef SMALL_LAYOUT
  ctx.layouts = signature->layouts;
#endif
  kernel->range(&ctx, call->begin, call->end);
  return OP_OK;
}
#endif

#ifdef SMALL_OWN_MEMORY
static op_status mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p) {
  (void)space;
  *p = exec->host->alloc(bytes, 64);
  return *p ? OP_OK : OP_ERR_MEMORY;
}
static void mem_free(op_exec *exec, op_space space, void *p) {
  (void)space;
  exec->host->free(p);
}
static op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space,
                          size_t bytes, op_event *done) {
  (void)exec, (void)to_space, (void)from_space, (void)done;
  memcpy(to, from, bytes);
  return OP_OK;
}
static op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes) {
  (void)exec, (void)space;
  memset(p, 0, bytes);
  return OP_OK;
}
#endif

#ifdef SMALL_OLD_TABLE
/* Built before the optional entries existed: its table ends behind loop_run. What follows in memory is not part of it.
 */
static const char not_an_entry[] = "never called";
static op_status must_not_be_called(op_exec *exec, op_exec_kernel *kernel) {
  (void)kernel;
  return exec->host->fail(exec->host, OP_ERR_INTERNAL, not_an_entry);
}
#endif

#ifdef SMALL_CHAINS /* which nobody runs */
static op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain) {
  (void)plan, (void)chain;
  return exec->host->fail(exec->host, OP_ERR_UNSUPPORTED, "no chains");
}
static void chain_free(op_exec *exec, op_exec_chain *chain) { (void)exec, (void)chain; }
static op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times,
                           int32_t *failed) {
  (void)chain, (void)calls, (void)times, (void)failed;
  return exec->host->fail(exec->host, OP_ERR_UNSUPPORTED, "no chains");
}
#endif

static const struct {
  op_exec_ops_v1 ops;
  void (*later_entry)(void); /* a newer table is longer than the library's */
} table = {{
#if defined(SMALL_OLD_TABLE)
               .size = offsetof(op_exec_ops_v1, reduce_wait),
               .reduce_wait = must_not_be_called,
#elif defined(SMALL_NEW_TABLE)
                .size = sizeof(op_exec_ops_v1) + sizeof(void (*)(void)),
#else
                .size = sizeof(op_exec_ops_v1),
#endif
               .open = open_small,
               .close = close_small,
               .caps = caps,
               .kernel_create = kernel_create,
               .kernel_free = kernel_free,
               .kernel_form = kernel_form,
               .kernel_plan_request = kernel_plan_request,
#ifndef SMALL_NO_LOOP_RUN
               .loop_run = loop_run,
#endif
#ifdef SMALL_CHAINS
               .chain_create = chain_create,
               .chain_free = chain_free,
               .chain_run = chain_run,
#endif
#ifdef SMALL_OWN_MEMORY
               .mem_alloc = mem_alloc,
               .mem_free = mem_free,
               .mem_copy = mem_copy,
               .mem_zero = mem_zero,
#endif
           },
           NULL};

static int score(const op_host_v1 *host) {
#ifdef SMALL_REASON
  host->fail(host, OP_ERR_BACKEND, SMALL_REASON);
#else
  (void)host;
#endif
  return SMALL_SCORE;
}

static const op_plugin_v1 plugin = {
    .size = SMALL_SIZE,
    .abi = SMALL_ABI,
    .api = SMALL_API,
    .kind = SMALL_KIND,
    .name = SMALL_NAME,
    .summary = SMALL_SUMMARY,
    .build = "C99",
    .parent = SMALL_PARENT,
#ifndef SMALL_NO_SCORE
    .score = score,
#endif
#ifndef SMALL_NO_TABLE
    .ops = &table,
#endif
};

OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) {
  (void)score, (void)table; /* not named by every variant */
#ifdef SMALL_NULL
  (void)plugin;
  return NULL;
#else
  return &plugin;
#endif
}

/* SPDX-License-Identifier: MIT */
