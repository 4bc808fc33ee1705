/* liar.c: an executor whose entries all come from seq, with one lie, chosen by a macro; the build makes one plugin of each. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "op2/plugin/exec.h"

#ifndef LIAR_NAME
#define LIAR_NAME "liar"
#endif
#ifndef LIAR_ABI
#define LIAR_ABI OP2_PLUGIN_ABI
#endif
#ifndef LIAR_SIZE
#define LIAR_SIZE sizeof(op_plugin_v1)
#endif
#ifndef LIAR_SUMMARY
#define LIAR_SUMMARY "all entries of seq"
#endif
#ifndef LIAR_BUILD
#define LIAR_BUILD "C99"
#endif
#ifndef LIAR_PARENT
#define LIAR_PARENT "seq"
#endif
#ifndef LIAR_TABLE_SIZE
#define LIAR_TABLE_SIZE sizeof(op_exec_ops_v1)
#endif

/* Texts and tables that are not where they are said to be. */
#define NOWHERE ((const void *)64)

static volatile int zero;
static int *volatile nowhere = (int *)64;

/* What may happen in a function. */
static void crash(void) {
#if defined(LIAR_SEGV)
  *nowhere = 1;
#elif defined(LIAR_DIVIDES)
  zero = 7 / zero;
  raise(SIGFPE); /* where a division by zero has a result */
#elif defined(LIAR_ILLEGAL)
  __builtin_trap();
#elif defined(LIAR_ABORTS)
  abort();
#elif defined(LIAR_BUS)
  raise(SIGBUS);
#elif defined(LIAR_STACK)
  volatile char page[4096]; /* the stack ends somewhere */
  page[0] = 1;
  if (!zero) crash();
  page[1] = page[0];
#endif
  (void)zero, (void)nowhere;
}

static int score(const op_host_v1 *host) {
  (void)host;
#ifdef LIAR_SCORE_CRASHES
  crash();
#endif
#ifdef LIAR_REASON
  host->fail(host, OP_ERR_BACKEND, LIAR_REASON);
#endif
#ifdef LIAR_SCORE
  return LIAR_SCORE;
#else
  return 1000; /* auto would take it */
#endif
}

#if defined(LIAR_OPENS_NOTHING)
static op_status liar_open(const op_exec_params *params, op_exec **exec) {
  (void)params, (void)exec;
  return OP_OK;
}
#else
#define liar_open NULL
#endif

#if defined(LIAR_CAPS)
static op_status liar_caps(op_exec *exec, op_exec_caps *caps) {
  (void)exec;
  caps->space = OP_SPACE_HOST;
  caps->concurrency = 1;
  LIAR_CAPS;
  return OP_OK;
}
#else
#define liar_caps NULL
#endif

#if defined(LIAR_NO_MEMORY)
static op_status liar_mem_alloc(op_exec *exec, op_space space, size_t bytes, void **p) {
  (void)exec, (void)space, (void)bytes;
  *p = NULL;
  return OP_OK;
}
#else
#define liar_mem_alloc NULL
#endif

#if defined(LIAR_NO_KERNEL)
static op_status liar_kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                               op_exec_kernel **kernel) {
  (void)exec, (void)source, (void)signature, (void)kernel;
  return OP_OK;
}
#else
#define liar_kernel_create NULL
#endif

#if defined(LIAR_PLAN)
static op_status liar_kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  (void)exec, (void)kernel;
  request->plan = LIAR_PLAN;
  return OP_OK;
}
#else
#define liar_kernel_plan_request NULL
#endif

static const op_exec_ops_v1 table = {
    .size = LIAR_TABLE_SIZE,
    .open = liar_open,
    .caps = liar_caps,
    .mem_alloc = liar_mem_alloc,
    .kernel_create = liar_kernel_create,
    .kernel_plan_request = liar_kernel_plan_request,
};

static const op_plugin_v1 plugin = {
    .size = LIAR_SIZE,
    .abi = LIAR_ABI,
    .api = OP2_PLUGIN_API,
    .kind = OP_PLUGIN_EXEC,
    .name = LIAR_NAME,
    .summary = LIAR_SUMMARY,
    .build = LIAR_BUILD,
    .parent = LIAR_PARENT,
    .score = score,
#ifdef LIAR_TABLE_NOWHERE
    .ops = NOWHERE,
#else
    .ops = &table,
#endif
};

#ifdef LIAR_CONSTRUCTOR_CRASHES
__attribute__((constructor)) static void constructor(void) { crash(); }
#endif

OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) {
  (void)crash, (void)plugin, (void)table;
#ifdef LIAR_ENTRY_CRASHES
  crash();
#endif
#ifdef LIAR_DESCRIPTOR_NOWHERE
  return NOWHERE;
#else
  return &plugin;
#endif
}

/* SPDX-License-Identifier: MIT */
