/* types.h: handles, access modes, status codes and the loop argument.
 *
 * Every type here is part of the stable ABI. A handle is a pointer to a struct that op2.h leaves incomplete.
 * op2/heads.h declares the frozen first fields of these structs for programs that read them. */
#ifndef OP2_TYPES_H
#define OP2_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "op2/export.h"

/* Local sizes and indices have 32 bits, global ones 64 bits. */
typedef int op_index;
typedef long long op_gindex;

typedef struct op_set_core *op_set;             /* a set of mesh elements: nodes, edges, cells, ... */
typedef struct op_map_core *op_map;             /* a fixed number of elements of one set for each element of another */
typedef struct op_dat_core *op_dat;             /* `dim` values on every element of a set */
typedef struct op_reduction_core *op_reduction; /* a user-defined reduction, see op_decl_reduction() */
typedef struct op_global_core *op_global;       /* values that loops reduce into and read, see op_decl_global() */

/* The map of a direct argument, and the map of a global argument. */
#define OP_ID ((op_map)0)
#define OP_GBL ((op_map)0)

/* Access modes: what a kernel does to an argument. docs/concepts.md describes the values that a kernel sees in each
 * mode. */
typedef int op_access;
#define OP_READ 0   /* the kernel only reads */
#define OP_WRITE 1  /* the kernel writes every component and reads none before it has written it */
#define OP_RW 2     /* the kernel reads and writes */
#define OP_INC 3    /* the kernel only adds to the values */
#define OP_MIN 4    /* global argument: minimum over all elements */
#define OP_MAX 5    /* global argument: maximum over all elements */
#define OP_WORK 6   /* global argument: scratch memory of the kernel, undefined before and after each element */
#define OP_REDUCE 7 /* global argument: user-defined reduction */

/* Kinds of arguments: a variable of the program, a dat, the number of an element, the payload of an extremum, or the
 * flag by which the kernel of op_par_loop_until() says stop. */
typedef int op_arg_type;
#define OP_ARG_GBL 0
#define OP_ARG_DAT 1
#define OP_ARG_IDX 2
#define OP_ARG_PAYLOAD 3
#define OP_ARG_STOP 4

/* One argument of a loop, made by the op_arg_*() functions. The first 15 fields have the order and the meaning that
 * they have in OP2; programs should treat all fields as private. The size and the offsets never change. */
typedef struct op_arg {
  int index;        /* position in the loop; the loop fills it in */
  op_dat dat;       /* borrowed for the call; NULL for global and index arguments */
  op_map map;       /* borrowed for the call; NULL = direct or global */
  int dim;          /* values per element, as the caller declared them */
  int idx;          /* -1: direct; k >= 0: column k of the map; -k with k >= 2: the first k columns; for a payload: the
                       position of its extremum in the loop */
  int size;         /* bytes per element: dim * size of the type */
  char *data;       /* global, payload and stop arguments: the program's variable, borrowed for the call */
  char *data_d;     /* unused */
  int *map_data;    /* unused, except in loops of op2/hand_loop.h */
  int *map_data_d;  /* unused */
  const char *type; /* type name, borrowed for the call */
  op_access acc;
  op_arg_type argtype;
  int sent;               /* index and stop arguments: the number of the first element, 0 or 1; otherwise unused */
  int opt;                /* 0 = the argument is switched off in this call, and the kernel receives a null pointer */
  op_reduction reduction; /* OP_REDUCE: the user-defined reduction, borrowed */
  op_global global;       /* borrowed; NULL unless `data` is that of a global of the library */
  void *reserved[2];      /* zero */
} op_arg;

/* Status codes that calls return. OP_OK is 0. The names are stable; op_status_name() returns them. */
typedef int op_status;
#define OP_OK 0
#define OP_ERR_STATE 1    /* the library is not initialised, is initialised twice, or is unusable after a failed loop */
#define OP_ERR_ARGUMENT 2 /* an argument is NULL, negative or otherwise impossible */
#define OP_ERR_HANDLE 3   /* the handle is not a live set, map or dat of this context */
#define OP_ERR_RANGE 4    /* an index is outside its set, dimension or array */
#define OP_ERR_TYPE 5     /* type names or sizes do not agree */
#define OP_ERR_DIM 6      /* dimensions do not agree */
#define OP_ERR_SET 7      /* a dat or map belongs to another set */
#define OP_ERR_ACCESS 8   /* the argument cannot have this access mode */
#define OP_ERR_MEMORY 9   /* out of memory */
#define OP_ERR_BACKEND 10 /* the back end is unknown, impossible or unavailable */
#define OP_ERR_PLUGIN 11  /* the library refused a plugin, or a plugin failed */
#define OP_ERR_KERNEL 12  /* a kernel threw an exception */
#define OP_ERR_FILE 13    /* the library could not write or read a file */
#define OP_ERR_UNSUPPORTED 14 /* the request is correct, but this back end cannot fulfil it */
#define OP_ERR_THREAD 15      /* the calling thread does not own the context */
#define OP_ERR_INTERNAL 16    /* a defect of the library: please report it */
#define OP_ERR_CHECK 17       /* executor check: a kernel does not do what its arguments declare */

#endif

/* SPDX-License-Identifier: MIT */
