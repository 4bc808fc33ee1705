/* plugin.h: the exports of every plugin, and the services of the core to it.  EXPERIMENTAL until MPI and CUDA plugins
 * have proved it.
 *
 * A plugin is a shared object op2_<kind>_<name>.so with one exported function, op2_plugin_v1(), which returns a static
 * descriptor and does nothing else. A plugin never links libop2.so: it receives everything that it needs through
 * op_host_v1. The core calls the entries of a context from its control thread. Exception: it calls the entries of a
 * file driver, and those of a second communicator for files, also from a thread for files, but never from both threads
 * at once. An entry never throws; it reports a failure through host->fail(). The core never unloads a plugin. All
 * tables begin with their size and grow only at the end.
 *
 * op2_plugin_v1() and score must not crash. If one of them does, the core refuses the plugin, reports the signal, and
 * does not call the plugin again in that process. A crash in any other entry ends the process. */
#ifndef OP2_PLUGIN_PLUGIN_H
#define OP2_PLUGIN_PLUGIN_H

#include "op2/types.h"

#define OP2_PLUGIN_ABI 1u /* must agree; the name of the entry symbol contains it, too */
#define OP2_PLUGIN_API 15u /* grows with every appended entry; old plugins keep working, from version 1.0 on */

/* The four kinds of plugins. File names use "exec", "comm", "part", "io". */
#define OP_PLUGIN_EXEC 0 /* executor: runs loops in one process; knows nothing of other processes */
#define OP_PLUGIN_COMM 1 /* communicator: moves bytes between processes; knows nothing of kernels */
#define OP_PLUGIN_PART 2 /* partitioner: divides a distributed graph */
#define OP_PLUGIN_IO 3   /* file driver: reads and writes named arrays */
#define OP_PLUGIN_KINDS 4

/* Memory spaces. Small stable integers, with the values of DLPack's device types. */
typedef int32_t op_space;
#define OP_SPACE_NONE 0
#define OP_SPACE_HOST 1
#define OP_SPACE_CUDA 2
#define OP_SPACE_CUDA_PINNED 3
#define OP_SPACE_CUDA_MANAGED 13
#define OP_SPACE_PRIVATE 1000 /* this value and above: spaces of plugins that the core does not know by name */

/* A point in the work of an executor. The executor makes it, the core owns it and frees it with event_free. NULL = the
 * work before it is complete. */
typedef struct op_event_s *op_event;

/* Scalar types as plugins see them. */
typedef int32_t op_type_id;
#define OP_TYPE_USER 0 /* opaque bytes */
#define OP_TYPE_DOUBLE 1
#define OP_TYPE_FLOAT 2
#define OP_TYPE_INT 3
#define OP_TYPE_UINT 4
#define OP_TYPE_LL 5
#define OP_TYPE_ULL 6
#define OP_TYPE_BOOL 7

/* Levels of op_host_v1.log, as in OP2_LOG. */
#define OP_LOG_ERROR 0
#define OP_LOG_WARN 1
#define OP_LOG_INFO 2
#define OP_LOG_DEBUG 3

/* Services of the core to the plugins of one context. Valid until the plugin's close entry has returned. A plugin
 * passes to the parameter `host` the table that contains the function. */
typedef struct op_host_v1 {
  size_t size;
  uint32_t api;
  uint32_t reserved;
  void (*log)(const struct op_host_v1 *host, int level, const char *message);
  /* Record the message of a failure, copied; returns code, so that an entry can end with `return host->fail(...)`. */
  op_status (*fail)(const struct op_host_v1 *host, op_status code, const char *message);
  /* Write the value of a setting as text, at most `length` bytes with the final zero; returns the length of the value,
     or -1 for an unknown name. */
  int (*config)(const struct op_host_v1 *host, const char *name, char *buffer, size_t length);
  void *(*alloc)(size_t bytes, size_t alignment); /* NULL if there is no memory; the plugin frees with free() */
  void (*free)(void *pointer);
  double (*now)(void); /* wall-clock seconds */
  /* A cache for bytes that are expensive to make, for later runs and other processes, in the folder of compiled code
     (OP2_JIT_CACHE). `key` names everything that the bytes depend on, `maker` the tool that made them ("nvrtc 13.0"),
     at most 1000 characters each. cache_load returns 1 and verified bytes, which the plugin frees with free(), or 0 if
     there are none. An unusable cache is not a failure. */
  int (*cache_load)(const struct op_host_v1 *host, const char *maker, const char *key, void **data, size_t *bytes);
  void (*cache_store)(const struct op_host_v1 *host, const char *maker, const char *key, const void *data,
                      size_t bytes);
} op_host_v1;

/* The descriptor of a plugin, static in the plugin. */
typedef struct op_plugin_v1 {
  size_t size;
  uint32_t abi; /* OP2_PLUGIN_ABI at the compilation of the plugin */
  uint32_t api; /* OP2_PLUGIN_API at the compilation of the plugin */
  int32_t kind;
  int32_t reserved;
  const char *name;    /* as in OP2_BACKEND; must agree with the file name */
  const char *summary; /* one line of description for op2_info */
  const char *build;   /* compiler and versions of libraries */
  const char *parent; /* NULL, or a plugin of the same kind whose entries replace NULL entries of this plugin. Inherited
                         entries receive the context of the child, so they must not read it */
  int (*score)(const op_host_v1 *host); /* 0 = the plugin cannot run here and has passed the reason to host->fail;
                                           `auto` chooses the highest score. score must run on any machine: compile it
                                           for the baseline instruction set, and load no large libraries in it */
  const void *ops;                      /* op_exec_ops_v1, op_comm_ops_v1, op_part_ops_v1 or op_io_ops_v1 */
} op_plugin_v1;

/* The one function that a plugin exports: `OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void)`, in C++
 * with extern "C". */
typedef const op_plugin_v1 *(*op_plugin_entry_v1)(void);
#define OP2_PLUGIN_ENTRY op2_plugin_v1
#define OP2_PLUGIN_ENTRY_NAME "op2_plugin_v1"

#endif

/* SPDX-License-Identifier: MIT */
