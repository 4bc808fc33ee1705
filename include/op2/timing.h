/* timing.h: clocks, tables and reports. */
#ifndef OP2_TIMING_H
#define OP2_TIMING_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Wall-clock seconds in *et since an arbitrary moment, after the loops called so far and a barrier; CPU seconds of this process in *cpu. Either may be
 * NULL. Callable at any time: where no barrier is possible (inside kernels, on other threads, after a failed loop) it is
 * op_timers_core(). */
OP_API void op_timers(double *cpu, double *et);
OP_API void op_timers_core(double *cpu, double *et); /* without waiting */

/* Print the table of loops on process 0, longest first: calls, seconds, share, GB/s of useful bytes, plan time, kernel form. With several
 * processes also what loops exchanged or did not have to, and what dividing the mesh and its halos took. docs/timing.md explains the
 * columns. Collective. */
OP_API op_status op_timing_output(void);

/* The same as a file: one row or object per loop and process; with several processes in CSV also one per dat of a loop and one per
 * process, told apart by the column "record". Errors: OP_ERR_FILE. Collective. */
OP_API op_status op_timings_to_csv(const char *file);
OP_API op_status op_timings_to_json(const char *file);

/* The table in a format of other programs' scripts. format: "op2" (what OP2's op_timing_output() prints: means and deviations over the
 * processes), "op2_totals" (OP2's op_timing_output_2_file()), "op2_csv" (OP2's op_timings_to_csv(), in which one row per process and loop
 * stands for all threads). file: NULL prints it on process 0. Collective. Errors: OP_ERR_ARGUMENT (no such format), OP_ERR_FILE. */
OP_API op_status op_timing_write(const char *format, const char *file);

/* Forget all loop timings collected so far, e.g. after a warm-up. */
OP_API op_status op_timing_reset(void);

/* Print sets, maps and dats on process 0 when op_init() was given diags >= 2. */
OP_API op_status op_diagnostic_output(void);

OP_END_DECLS

#endif
