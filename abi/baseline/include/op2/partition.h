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

/* What op_repartition() has done; the same on all processes but for `seconds`. */
typedef struct op_repartition_result {
  int moved;               /* 1: rows have moved to other processes */
  long long rows;          /* so many, of all sets */
  double imbalance_before; /* the work of the slowest process over its share, by the weights or the measured time */
  double imbalance_after;  /* the same with the new division */
  double seconds;          /* of the call; loops that are prepared again later are not in it */
} op_repartition_result;

/* Parameters of op_repartition(). Missing tail fields take their defaults, so that old programs keep working. */
typedef struct op_repartition_params {
  size_t size;    /* sizeof(op_repartition_params), set by OP_REPARTITION_PARAMS */
  op_dat weights; /* the work of each element of the set to divide, in any unit: one int, float or double, 0 or more.
                     NULL: the time that the elements of loops have taken since the last call, as this process has
                     measured it */
  op_dat coordinates; /* NULL: those of the division before, if it went by coordinates, else the graph of neighbours.
                         Or a dat of dim 1 to 3, double or float, on the set to divide or on one that a map from this
                         set leads to: rows then move along a Hilbert curve, which is cheap and moves few of them */
  int always;         /* 0: rows stay where a move would take longer than the imbalance has cost since the last one.
                         1: they move whenever the new division differs */
  op_repartition_result *result; /* NULL, or gets what was done; borrowed for the call */
} op_repartition_params;
#define OP_REPARTITION_PARAMS \
  { sizeof(op_repartition_params), NULL, NULL, 0, NULL }

/* Balance the work of the processes while the program runs: divide the mesh again by the work of its elements, and move
 * rows from their owners to the new ones. params NULL = OP_REPARTITION_PARAMS. Call it every so many steps where the
 * work moves through the mesh, wherever op_partition_with() might be called. Handles stay valid, and data, maps and
 * particles move along; loops and chains are prepared again at their next call, with the code they have. Row pointers
 * and heads (op2/heads.h) change as with op_partition(). A program that sets OP2_REBALANCE=auto need not call it.
 * Collective; all processes pass the same arguments. With one process the library checks them and changes nothing.
 *
 * Errors: OP_ERR_STATE (the processes pass different arguments, particles are on their way), OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (weights that are negative, not finite or all 0; size), OP_ERR_TYPE, OP_ERR_DIM, OP_ERR_SET (no map
 * leads from the set to that of the coordinates), OP_ERR_UNSUPPORTED (no weights, and no times: OP2_TIMING=off, or an
 * executor that runs loops after their calls). After these errors all rows are where they were. */
OP_API op_status op_repartition(const op_repartition_params *params);

/* 1 after the program has called op_partition() or op_partition_with(), otherwise 0, also when the first loop has
 * partitioned the mesh. Not collective. */
OP_API int op_is_partitioned(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
