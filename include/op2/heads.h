/* heads.h: the frozen public first fields of sets, maps and dats.
 *
 * OP2 programs read `set->size` or `dat->data`; the objects therefore begin with the fields OP2 gives them. The layout never
 * changes (abi/layouts.txt pins it); behind it lies private state, so never copy or allocate these structs.
 * Rows and entries stand in the library's own order, which is that of the declaration unless the mesh was renumbered
 * (op2/order.h): programs that rely on it say keep_order in op_init_params, or OP2_RENUMBER=off, or ask op_get_order(). Pointers
 * to them stay valid when the order changes. Writing through them is seen by loops on back ends without a memory of their own,
 * unless OP2_LAYOUT gives dats another layout: then `data` shows what the last transfer or loop over rows left (dirty_hd = 2: it is
 * old), and keep_order prevents that.
 * With several processes all of it is local: rows of this process and copies of others' rows, local indices, and sizes that change when
 * the mesh is divided (op_partition(), else the first loop). Before that, maps have no table.
 * New programs do not need this header: the accessor functions of op2.h give the same facts. */
#ifndef OP2_HEADS_H
#define OP2_HEADS_H

#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "op2/types.h"

struct op_set_core {
  int index;        /* position in the order of declaration */
  idx_l_t size;     /* elements owned by this process; before the mesh is divided, its share of the declaration */
  const char *name; /* owned by the library */
  int core_size;    /* owned elements that need no data of another process */
  int exec_size;    /* imported elements executed redundantly */
  int nonexec_size; /* imported elements only read */
  int stride;       /* reserved */
};

struct op_map_core {
  int index;
  op_set from, to;
  int dim;          /* entries per element of `from` */
  int *map;         /* [rows of from][dim], local indices; owned by the library. Several processes: NULL until the mesh is divided */
  idx_g_t *map_gbl; /* NULL, or the same with global indices */
  int *map_d;       /* NULL, or a device copy; private */
  const char *name;
  int user_managed;
  bool force_part;
};

struct op_dat_core {
  int index;
  op_set set;
  int dim;          /* values per element */
  int size;         /* bytes per element: dim * size of the type */
  char *data;       /* host rows [size of set, then copies][dim]; owned by the library */
  char *data_d;     /* NULL, or the executor's copy; private */
  const char *type;
  const char *name;
  char *buffer_d;   /* unused */
  char *buffer_d_r; /* unused */
  int dirtybit;     /* 1 = copies on other processes are stale */
  int dirty_hd;     /* 0 = `data` and the executor's copy agree or are one, 1 = `data` is newer, 2 = the copy is */
  int user_managed;
  void *mpi_buffer; /* unused */
};

#endif
