/* plugin.h: what every plugin exports, and what the core offers it.  EXPERIMENTAL until MPI and CUDA plugins have proved it.
 *
 * A plugin is a shared object op2_<kind>_<name>.so with one exported function, op2_plugin_v1(), that returns a static
 * descriptor and does nothing else. It never links libop2.so: all it needs comes through op_host_v1. The core calls every
 * entry from the control thread of one context, but file drivers, and a communicator of their own, also from a thread for files,
 * never from both at once; entries never throw and report failures through host->fail(). Plugins are
 * never unloaded. All tables begin with their size and only grow at the end.
 *
 * op2_plugin_v1() and score may not crash; if they do, the core refuses the plugin, says which signal it was, and calls it no
 * more in that process. Any other entry that crashes ends the process. */
#ifndef OP2_PLUGIN_PLUGIN_H
#define OP2_PLUGIN_PLUGIN_H

#include "op2/types.h"

#define OP2_PLUGIN_ABI 1u /* must agree: it is in the entry symbol's name too */
#define OP2_PLUGIN_API 5u /* grows when entries are appended; old plugins keep working */

/* The four kinds. File names spell them "exec", "comm", "part", "io". */
#define OP_PLUGIN_EXEC 0 /* runs loops in one process; knows nothing of other processes */
#define OP_PLUGIN_COMM 1 /* moves bytes between processes; knows nothing of kernels */
#define OP_PLUGIN_PART 2 /* divides a distributed graph */
#define OP_PLUGIN_IO 3   /* reads and writes named arrays */
#define OP_PLUGIN_KINDS 4

/* Where memory lives. Small stable integers, values as in DLPack's device types. */
typedef int32_t op_space;
#define OP_SPACE_NONE 0
#define OP_SPACE_HOST 1
#define OP_SPACE_CUDA 2
#define OP_SPACE_CUDA_PINNED 3
#define OP_SPACE_CUDA_MANAGED 13
#define OP_SPACE_PRIVATE 1000 /* this and above: spaces of plugins the core does not know by name */

/* A moment in an executor's work; made by the executor, owned by the core, freed with event_free. NULL = already past. */
typedef struct op_event_s *op_event;

/* Scalar types as plugins see them. */
typedef int32_t op_type_id;
#define OP_TYPE_USER 0 /* bytes only */
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

/* Services of the core to the plugins of one context. Valid until the plugin's close entry has returned. The functions that
 * take `host` want the table they were called from. */
typedef struct op_host_v1 {
  size_t size;
  uint32_t api;
  uint32_t reserved;
  void (*log)(const struct op_host_v1 *host, int level, const char *message);
  /* Record the story of a failure; returns code, so that an entry can end with `return host->fail(...)`. */
  op_status (*fail)(const struct op_host_v1 *host, op_status code, const char *message);
  /* Value of a setting as text, at most `length` bytes with the final zero; its length, or -1 for an unknown name. */
  int (*config)(const struct op_host_v1 *host, const char *name, char *buffer, size_t length);
  void *(*alloc)(size_t bytes, size_t alignment); /* NULL when there is no memory */
  void (*free)(void *pointer);
  double (*now)(void);                            /* seconds */
  /* Bytes that took long to make, kept for later runs and other processes in the folder of compiled code (OP2_JIT_CACHE): `key` names all
     they depend on, `maker` what made them ("nvrtc 13.0"), at most 1000 characters each. load gives verified bytes, which the caller frees
     with free(); 0 when there are none. A cache that cannot be used is no failure. */
  int (*cache_load)(const struct op_host_v1 *host, const char *maker, const char *key, void **data, size_t *bytes);
  void (*cache_store)(const struct op_host_v1 *host, const char *maker, const char *key, const void *data, size_t bytes);
} op_host_v1;

/* The descriptor of a plugin, static in the plugin. */
typedef struct op_plugin_v1 {
  size_t size;
  uint32_t abi;  /* OP2_PLUGIN_ABI as the plugin saw it */
  uint32_t api;  /* OP2_PLUGIN_API as the plugin saw it */
  int32_t kind;
  int32_t reserved;
  const char *name;    /* as in OP2_BACKEND; must agree with the file name */
  const char *summary; /* one line for op2_info */
  const char *build;   /* compiler and versions of libraries */
  const char *parent;  /* NULL, or a plugin of the same kind whose entries stand in for NULL ones. Inherited entries get the
                          child's context, so a parent's inheritable entries must not look into it */
  int (*score)(const op_host_v1 *host); /* 0 = cannot run here, the reason given to host->fail; `auto` takes the highest. Runs on
                                           any machine: compiled for the baseline instruction set, loads nothing heavy */
  const void *ops;     /* op_exec_ops_v1, op_comm_ops_v1, op_part_ops_v1 or op_io_ops_v1 */
} op_plugin_v1;

/* The one function a plugin exports: `OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void)`, in C++ with extern "C". */
typedef const op_plugin_v1 *(*op_plugin_entry_v1)(void);
#define OP2_PLUGIN_ENTRY op2_plugin_v1
#define OP2_PLUGIN_ENTRY_NAME "op2_plugin_v1"

#endif
