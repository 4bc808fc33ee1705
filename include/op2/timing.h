/* timing.h: clocks, tables of loop times and reports. */
#ifndef OP2_TIMING_H
#define OP2_TIMING_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Print the table of loops on process 0, longest time first: calls, seconds, share, GB/s of useful bytes, plan time,
 * kernel form. With several processes also the halo exchanges that loops made or could skip, and the times for
 * partitioning the mesh and building its halos. docs/timing.md explains the columns. Collective. */
OP_API op_status op_timing_output(void);

/* Write the table to a file, which process 0 replaces: one row or object per loop and process. With several processes
 * the CSV file also has one row per dat of a loop and one per process; the column "record" tells the kinds of rows
 * apart. Collective. Errors: OP_ERR_ARGUMENT (NULL), OP_ERR_FILE. */
OP_API op_status op_timings_to_csv(const char *file);
OP_API op_status op_timings_to_json(const char *file);

/* Discard all times that this process has collected so far, of loops and of partitioning, e.g. after a warm-up. Not
 * collective. */
OP_API op_status op_timing_reset(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
