/* timing.h: clocks, tables of loop times and reports. */
#ifndef OP2_TIMING_H
#define OP2_TIMING_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* op_timers() waits for all loops called so far and for all processes, then writes wall-clock seconds since an
 * arbitrary moment to *et and CPU seconds of this process to *cpu; either may be NULL. Collective. It is callable at
 * any time: where no barrier is possible (outside a session, inside kernels, on other threads, after a failed loop) it
 * acts as op_timers_core(), which does not wait and is not collective. */
OP_API void op_timers(double *cpu, double *et);
OP_API void op_timers_core(double *cpu, double *et); /* without waiting */

/* Print the table of loops on process 0, longest time first: calls, seconds, share, GB/s of useful bytes, plan time,
 * kernel form. With several processes also the halo exchanges that loops made or could skip, and the times for
 * partitioning the mesh and building its halos. docs/timing.md explains the columns. Collective. */
OP_API op_status op_timing_output(void);

/* Write the table to a file, which process 0 replaces: one row or object per loop and process. With several processes
 * the CSV file also has one row per dat of a loop and one per process; the column "record" tells the kinds of rows
 * apart. Collective. Errors: OP_ERR_ARGUMENT (NULL), OP_ERR_FILE. */
OP_API op_status op_timings_to_csv(const char *file);
OP_API op_status op_timings_to_json(const char *file);

/* Write the table in a format that scripts for OP2 read. format: "op2" (as printed by OP2's op_timing_output(): means
 * and deviations over the processes), "op2_totals" (OP2's op_timing_output_2_file()), "op2_csv" (OP2's
 * op_timings_to_csv(); one row per process and loop stands for all threads). file: NULL prints the table on process 0.
 * Collective. Errors: OP_ERR_ARGUMENT (unknown format), OP_ERR_FILE. */
OP_API op_status op_timing_write(const char *format, const char *file);

/* Discard all times that this process has collected so far, of loops and of partitioning, e.g. after a warm-up. Not
 * collective. */
OP_API op_status op_timing_reset(void);

/* Print sets, maps and dats on process 0 if op_init() received diags >= 2. Not collective. */
OP_API op_status op_diagnostic_output(void);

OP_END_DECLS

#endif
