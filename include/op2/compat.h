/* compat.h: OP2's words: functions and names that the library has because programs written for OP2 use them.
 *
 * OP2's programs include op_seq.h and the other headers of op2/compat, which include this one. hand_loop.h has the
 * loops that such programs run themselves, heads.h the fields of sets, maps and dats. New programs need op_timers() at
 * most. */
#ifndef OP2_COMPAT_H
#define OP2_COMPAT_H

#include "op2/hand_loop.h"
#include "op2/heads.h"
#include "op2/loop.h"
#include "op2/types.h"

OP_BEGIN_DECLS

/* op_timers() waits for all loops called so far and for all processes, then writes wall-clock seconds since an
 * arbitrary moment to *et and CPU seconds of this process to *cpu; either may be NULL. Collective. It is callable at
 * any time: where no barrier is possible (outside a session, inside kernels, on other threads, after a failed loop) it
 * acts as op_timers_core(), which does not wait and is not collective. */
OP_API void op_timers(double *cpu, double *et);
OP_API void op_timers_core(double *cpu, double *et); /* without waiting */

/* Write the table in a format that scripts for OP2 read. format: "op2" (as printed by OP2's op_timing_output(): means
 * and deviations over the processes), "op2_totals" (OP2's op_timing_output_2_file()), "op2_csv" (OP2's
 * op_timings_to_csv(); one row per process and loop stands for all threads). file: NULL prints the table on process 0.
 * Collective. Errors: OP_ERR_ARGUMENT (unknown format), OP_ERR_FILE. */
OP_API op_status op_timing_write(const char *format, const char *file);

/* Print sets, maps and dats on process 0 if op_init() received diags >= 2. Not collective. */
OP_API op_status op_diagnostic_output(void);

/* Copy the elements low ... high (both included, global numbers) of a dat into data[high - low + 1][dim], in memory:
 * another name of op_fetch_data_idx(). */
OP_API op_status op_fetch_data_hdf5(op_dat dat, void *data, op_gindex low, op_gindex high);

/* The same as op_fetch_data(). */
OP_API op_status op_fetch_data_char(op_dat dat, char *data);

/* Write a dat as text: a line with the size of its set and its dim, then one line per element, with as many digits as a
 * reader needs to obtain the same bits. Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired), OP_ERR_TYPE (user types). */
OP_API op_status op_print_dat_to_txtfile(op_dat dat, const char *file);

/* Write a dat in binary: the size of its set and its dim as two ints, then all values [size][dim] in the order of the
 * declaration. Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired), OP_ERR_RANGE (more than 2^31 - 1 elements). */
OP_API op_status op_print_dat_to_binfile(op_dat dat, const char *file);

OP_END_DECLS

/* ---- older names ------------------------------------------------------------------------------------------------- */

typedef op_index idx_l_t;  /* op_index */
typedef op_gindex idx_g_t; /* op_gindex */

#define OP_ARG_INFO OP_ARG_PAYLOAD   /* OP_ARG_PAYLOAD */
#define OP_RANGE_OFF OP_RANGE_ABSENT /* OP_RANGE_ABSENT, of loop.h */

/* op_arg_payload() of loop.h, op_arg_payload_char() of user_types.h and op_decl_const_named() of decl.h. */
#define op_arg_info(data, dim, type, ref) op_arg_payload(data, dim, type, ref)
#define op_arg_info_char(data, dim, type, type_size, ref) op_arg_payload_char(data, dim, type, type_size, ref)
#define op_decl_const2(name, dim, type, data) op_decl_const_named(name, dim, type, data)

/* op_dat_sync_host(), op_dat_mark_host_new() and op_hand_loop_wait() of hand_loop.h. */
static inline op_status op_get_dat(op_dat dat) { return op_dat_sync_host(dat); }
static inline op_status op_put_dat(op_dat dat) { return op_dat_mark_host_new(dat); }
static inline op_status op_mpi_wait_all(int nargs, op_arg *args) { return op_hand_loop_wait(nargs, args); }

#endif

/* SPDX-License-Identifier: MIT */
