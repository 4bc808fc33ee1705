/* partition.h: which process owns which elements of the mesh. */
#ifndef OP2_PARTITION_H
#define OP2_PARTITION_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Partition the mesh over the processes, after the last declaration and before the first loop, or again later.
 * Collective. With one process the library checks the arguments and changes nothing. If the program does not call this
 * function, the library partitions the mesh before the first loop with the best method that is available (setting
 * OP2_PARTITION). library and routine, in upper or lower case, borrowed for the call; NULL = "":
 *
 *   "PTSCOTCH" "KWAY", "PARMETIS" "KWAY" or "GEOMKWAY"   the graph of the set that `map` leads to. NULL: the library
 *                                                        chooses a map
 *   "GEOM", "RCB", "HILBERT", "INERTIAL"                 by `coordinates`: dim 1 to 3, double or float, on the set
 *   "EXTERNAL"                                           `coordinates` has one int per element of the set: its rank
 *   "RANDOM"                                             `set`, at random
 *   "BLOCK" (or "")                                      the declared parts; rows that have moved return to them
 *   "AUTO"                                               as if the program had not called this function
 *
 * All other sets follow through maps. If a library is not installed, another one replaces it with a warning; with
 * OP2_FALLBACK=strict this is an error. "RCB": recursive coordinate bisection (Berger, Bokhari 1987); "INERTIAL": the
 * same along principal axes (Simon 1991); "HILBERT": pieces of a Hilbert curve (coded after Skilling 2004).
 *
 * Errors: OP_ERR_STATE (the processes pass different arguments), OP_ERR_HANDLE, OP_ERR_ARGUMENT (no coordinates),
 * OP_ERR_TYPE, OP_ERR_DIM, OP_ERR_SET ("GEOMKWAY" with a map and coordinates of different sets), OP_ERR_RANGE (a part
 * that is not a rank), OP_ERR_BACKEND (OP2_FALLBACK=strict). If the partitioning itself fails (weights, parts), the
 * mesh stays in blocks, and its data keep their values. */
OP_API op_status op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates);

/* Parameters of op_partition_with(). Missing tail fields take their defaults, so that old programs keep working. */
typedef struct op_partition_params {
  size_t size;         /* sizeof(op_partition_params), set by OP_PARTITION_PARAMS */
  const char *library; /* as for op_partition(); NULL = "AUTO" */
  const char *routine;
  op_set set;
  op_map map;
  op_dat coordinates;
  op_dat weights; /* NULL, or the work of each element, in any unit: one int, float or double, 0 or more, on the set to
                     partition. If no other argument names that set, the weights do. Not for "EXTERNAL" */
  const double *shares; /* NULL: the setting OP2_PARTITION_WEIGHTS applies; or shares[nshares]: the share of the mesh
                           that each process receives, 0 or more, in any unit */
  int nshares;          /* the number of processes */
} op_partition_params;
#define OP_PARTITION_PARAMS \
  { sizeof(op_partition_params), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 }

/* As op_partition(), with named parameters: op_partition_params p = OP_PARTITION_PARAMS; p.weights = work;
 * op_partition_with(&p); The program may call it again when weights have changed: the library moves the rows, and
 * prepares loops again at their next call. Names and arrays are borrowed for the call. Collective; all processes pass
 * the same shares. Errors: as op_partition(), and OP_ERR_ARGUMENT (the number of shares is wrong; weights or shares are
 * negative, not finite or all 0), OP_ERR_SET (weights on another set), OP_ERR_TYPE and OP_ERR_DIM (weights of a wrong
 * type or dim). */
OP_API op_status op_partition_with(const op_partition_params *params);

/* 1 after the program has called op_partition() or op_partition_with(), otherwise 0, also when the first loop has
 * partitioned the mesh. Not collective. */
OP_API int op_is_partitioned(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
