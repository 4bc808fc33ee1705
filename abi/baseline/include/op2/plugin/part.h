/* part.h: the table of a partitioner: a distributed graph or points in, part numbers or an order out.  EXPERIMENTAL. */
#ifndef OP2_PLUGIN_PART_H
#define OP2_PLUGIN_PART_H

#include "op2/plugin/plugin.h"

/* What native_communicator is. */
#define OP_PART_NATIVE_NONE 0        /* there is none */
#define OP_PART_NATIVE_MPI_FORTRAN 1 /* MPI's handle of the Fortran kind, MPI_Comm_f2c makes a communicator of it */

/* A graph whose vertices are distributed in blocks: process p owns the global vertices vertex_offset[p] ... [p+1]-1. */
typedef struct op_part_graph {
  size_t size;
  int32_t nprocs, rank;
  int32_t nparts, seed;
  const int64_t *vertex_offset;    /* [nprocs + 1] */
  const int64_t *edge_offset;      /* [own vertices + 1] */
  const int64_t *edges;            /* neighbours, global numbers */
  const int32_t *vertex_weight;    /* [own vertices] or NULL = 1 */
  const double *part_weight;       /* [nparts] wished shares, or NULL = equal */
  int64_t native_communicator;     /* of the processes that hold the graph; its ranks are theirs */
  int32_t native_kind, reserved;
  double imbalance;                /* largest part allowed, in shares of its own; 0 = 1.03 */
  int32_t dim, reserved_dim;       /* coordinates of the vertices, or 0 and NULL: partitioners may use or ignore them */
  const double *coordinates;       /* [own vertices][dim] */
} op_part_graph;

/* Points in space, distributed like the vertices of op_part_graph. */
typedef struct op_part_points {
  size_t size;
  int32_t nprocs, rank;
  int32_t nparts, seed;
  const int64_t *vertex_offset;
  int32_t dim, reserved;
  const double *coordinates;       /* [own vertices][dim] */
  const double *part_weight;
  int64_t native_communicator;
  int32_t native_kind, reserved_kind;
  double imbalance;
  const int32_t *vertex_weight;    /* [own vertices] or NULL = 1 */
} op_part_points;

/* The table; one of the entries must be there. part[own vertices] receives 0 ... nparts-1. part_graph and part_points are
 * collective over the processes, also over those without vertices. */
typedef struct op_part_ops_v1 {
  size_t size;
  op_status (*part_graph)(const op_host_v1 *host, const op_part_graph *graph, int32_t *part);     /* R, or part_points */
  op_status (*part_points)(const op_host_v1 *host, const op_part_points *points, int32_t *part);  /* R, or part_graph */
  /* An order of this process's vertices in which neighbours come near each other: order[i] is the vertex that comes i-th, counted
   * from 0 among the own ones. nparts, seed and weights mean nothing here. The graph has no loops and no edge twice. O. */
  op_status (*order)(const op_host_v1 *host, const op_part_graph *graph, int32_t *order);
} op_part_ops_v1;

#endif
