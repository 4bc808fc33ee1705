/* heads.h: the frozen public first fields of sets, maps and dats.
 *
 * OP2 programs read `set->size` or `dat->data`; the objects therefore begin with the fields that OP2 gives them. The
 * layout never changes (abi/layouts.txt records it). Private state follows these fields, so a program must never copy
 * or allocate the structs.
 *
 * Rows and entries are in the library's own order, which is the order of the declaration unless the library has
 * renumbered the mesh (op2/order.h). A program that relies on the order sets the flag OP_KEEP_ORDER in
 * op_init_params, sets OP2_RENUMBER=off, or calls op_get_order(). Pointers to rows and entries stay valid when the
 * order changes. Loops see values that the program writes through the pointers if the back end has no separate memory
 * and dats are AoS. If OP2_LAYOUT gives a dat another layout, `data` holds the values of the last transfer or of the
 * last loop over rows (dirty_hd = 2: they are stale); OP_KEEP_ORDER prevents that.
 *
 * With several processes everything here is local: rows of this process and copies of remote rows, local indices, and
 * sizes that change when the mesh is partitioned (by op_partition(), otherwise by the first loop). Before that, maps
 * have no table. New programs do not need this header: the functions of op2/inspect.h return the same facts. */
#ifndef OP2_HEADS_H
#define OP2_HEADS_H

#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "op2/types.h"

struct op_set_core {
  int index;        /* position in the order of declaration */
  op_index size;    /* elements that this process owns; before the mesh is partitioned, its share of the declaration */
  const char *name; /* owned by the library */
  int core_size;    /* owned elements that need no data of other processes */
  int exec_size;    /* imported elements that this process executes redundantly */
  int nonexec_size; /* imported elements that this process only reads */
  int stride;       /* reserved */
};

struct op_map_core {
  int index;
  op_set from, to;
  int dim;  /* entries per element of `from` */
  int *map; /* [rows of from][dim], local indices; owned by the library. With several processes NULL until the mesh is
               partitioned */
  op_gindex *map_gbl; /* NULL in this version */
  int *map_d;       /* NULL, or a device copy; private */
  const char *name;
  int user_managed;
  bool force_part;
};

struct op_dat_core {
  int index;
  op_set set;
  int dim;      /* values per element */
  int size;     /* bytes per element: dim * size of the type */
  char *data;   /* host rows [owned rows, then copies][dim]; owned by the library */
  char *data_d; /* NULL, or the executor's copy; private */
  const char *type;
  const char *name;
  char *buffer_d;   /* unused */
  char *buffer_d_r; /* unused */
  int dirtybit;     /* 1 = copies on other processes are stale */
  int dirty_hd;     /* 0 = `data` and the executor's copy agree or are the same, 1 = `data` is newer, 2 = the copy is */
  int user_managed;
  void *mpi_buffer; /* unused */
};

#endif

/* SPDX-License-Identifier: MIT */
