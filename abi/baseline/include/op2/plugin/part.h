/* part.h: the table of a partitioner, which computes part numbers or an order from a distributed graph.
 * EXPERIMENTAL. */
#ifndef OP2_PLUGIN_PART_H
#define OP2_PLUGIN_PART_H

#include "op2/plugin/plugin.h"

/* Kinds of native_communicator. */
#define OP_PART_NATIVE_NONE 0        /* no native communicator */
#define OP_PART_NATIVE_MPI_FORTRAN 1 /* MPI's Fortran handle; MPI_Comm_f2c converts it to a communicator */

/* A graph whose vertices are distributed in blocks: process p owns the global vertices vertex_offset[p] ...
 * vertex_offset[p+1]-1. All arrays are borrowed for the call. */
typedef struct op_part_graph {
  size_t size;
  int32_t nprocs, rank;
  int32_t nparts, seed;
  const int64_t *vertex_offset; /* [nprocs + 1] */
  const int64_t *edge_offset;   /* [own vertices + 1] */
  const int64_t *edges;         /* [edge_offset[own vertices]] neighbours, global numbers */
  const int32_t *vertex_weight; /* [own vertices] or NULL = 1 */
  const double *part_weight;    /* [nparts] requested shares, or NULL = equal */
  int64_t native_communicator;  /* of the processes that hold the graph; with the same ranks */
  int32_t native_kind, reserved;
  double imbalance;          /* largest allowed ratio of a part to its share; 0 = 1.03 */
  int32_t dim, reserved_dim; /* coordinates of the vertices, or 0 and NULL; a partitioner may use or ignore them */
  const double *coordinates; /* [own vertices][dim] */
} op_part_graph;

/* The table; a plugin provides at least one of the two entries. */
typedef struct op_part_ops_v1 {
  size_t size;
  /* part[own vertices] receives 0 ... nparts-1. Collective over all processes, including those without vertices. */
  op_status (*part_graph)(const op_host_v1 *host, const op_part_graph *graph, int32_t *part);
  /* An order of the vertices of this process that places neighbours close together: order[i] is the i-th vertex,
   * numbered from 0 within the process. The entry ignores nparts, seed and weights. The graph has no loops and no
   * double edges. Not collective. */
  op_status (*order)(const op_host_v1 *host, const op_part_graph *graph, int32_t *order);
} op_part_ops_v1;

#endif

/* SPDX-License-Identifier: MIT */
