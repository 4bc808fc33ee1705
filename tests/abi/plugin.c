/* plugin.c: an executor as an outsider writes it, against the headers alone; see program.sh. Memory comes from its
 * parent seq. It says what it ran, so that the check knows that it was used. */
#include <op2/plugin/exec.h>
#include <stdio.h>
#include <string.h>

struct op_exec_s {
  const op_host_v1 *host;
  int loops;
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
};

static op_status open_plain(const op_exec_params *params, op_exec **exec) {
  *exec = params->host->alloc(sizeof **exec, 64);
  if (!*exec) return params->host->fail(params->host, OP_ERR_MEMORY, "no memory for the executor");
  (*exec)->host = params->host;
  (*exec)->loops = 0;
  return OP_OK;
}

static void close_plain(op_exec *exec) {
  printf("the plugin ran %d loops\n", exec->loops);
  exec->host->free(exec);
}

static op_status caps(op_exec *exec, op_exec_caps *out) {
  (void)exec;
  out->space = out->transport[0] = OP_SPACE_HOST;
  out->deterministic = out->concurrency = 1;
  return OP_OK;
}

static op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                               op_exec_kernel **kernel) {
  *kernel = exec->host->alloc(sizeof **kernel, 64);
  if (!*kernel) return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for a kernel");
  (*kernel)->range = source->range;
  (*kernel)->element = source->element;
  (*kernel)->signature = signature;
  return OP_OK;
}

static void kernel_free(op_exec *exec, op_exec_kernel *kernel) { exec->host->free(kernel); }

static const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel) {
  (void)exec, (void)kernel;
  return "plain";
}

static op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  (void)exec, (void)kernel;
  request->plan = OP_PLAN_NONE;
  return OP_OK;
}

static op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  const op_exec_signature *const signature = kernel->signature;
  const op_exec_reduce *const reduce = signature->reduce;
  op_range_arg args[OP_MAX_ARGS];
  op_range_ctx ctx = {sizeof ctx, NULL, 0, 0, NULL, NULL};
  if (signature->nargs > OP_MAX_ARGS) return exec->host->fail(exec->host, OP_ERR_UNSUPPORTED, "too many arguments");
  memcpy(args, call->args, sizeof args[0] * (size_t)signature->nargs);
  if (reduce) {
    memcpy(call->reduce_result, call->reduce_start, reduce->record_bytes);
    for (int32_t place = 0; place < reduce->count; ++place)
      args[reduce->arg[place]].base = (char *)call->reduce_result + reduce->offset[place];
  }
  ctx.args = args;
  ctx.nargs = signature->nargs;
  ctx.element = kernel->element;
  kernel->range(&ctx, call->begin, call->end);
  ++exec->loops;
  return OP_OK;
}

static int score(const op_host_v1 *host) {
  (void)host;
  return 1;
}

static const op_exec_ops_v1 table = {.size = sizeof table,
                                     .open = open_plain,
                                     .close = close_plain,
                                     .caps = caps,
                                     .kernel_create = kernel_create,
                                     .kernel_free = kernel_free,
                                     .kernel_form = kernel_form,
                                     .kernel_plan_request = kernel_plan_request,
                                     .loop_run = loop_run};

static const op_plugin_v1 plugin = {.size = sizeof plugin,
                                    .abi = OP2_PLUGIN_ABI,
                                    .api = OP2_PLUGIN_API,
                                    .kind = OP_PLUGIN_EXEC,
                                    .name = "plain",
                                    .summary = "elements in order",
                                    .build = "C99",
                                    .parent = "seq",
                                    .score = score,
                                    .ops = &table};

OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

/* SPDX-License-Identifier: MIT */
