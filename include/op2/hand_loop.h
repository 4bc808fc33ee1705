/* hand_loop.h: loops that a program runs itself over the library's rows (op2/heads.h), e.g. to call BLAS between loops.
 *
 *   op_arg args[] = {op_arg_dat(q, 0, edge_cells, 4, "double", OP_READ),
 *                    op_arg_dat(res, 0, edge_cells, 4, "double", OP_INC)};
 *   int end = op_mpi_halo_exchanges(edges, 2, args);
 *   for (int n = 0; n < end; ++n) {
 *     if (n == edges->core_size) op_hand_loop_wait(2, args);
 *     ...
 *   }
 *   if (end == 0 || end == edges->core_size) op_hand_loop_wait(2, args);
 *   op_mpi_set_dirtybit(2, args);
 *
 * These are OP2's functions; they work with one process, too. Such a program sets the flag OP_KEEP_ORDER in
 * op_init_params. */
#ifndef OP2_HAND_LOOP_H
#define OP2_HAND_LOOP_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Begin a loop over `set`: the library updates the host copy of every dat of args[nargs], and starts to fetch the rows
 * of other processes that the loop reads. Returns the number of elements that the loop runs over: the elements of this
 * process, and, if the loop writes a dat through a map, also copies of remote elements (set->size and above), which
 * must not contribute to variables of the program. The library writes the addresses of rows and maps to the fields
 * `data` and `map_data` of args, which are borrowed for the call. Partitions the mesh if no earlier call has done so,
 * as a first loop does. The program runs one such loop at a time. Collective. -1 on error, with the errors of
 * op_par_loop(). */
OP_API int op_mpi_halo_exchanges(op_set set, int nargs, op_arg *args);

/* Wait for the rows of other processes. The program calls it before it runs element set->core_size. A second call does
 * nothing. The library does not read the parameters; args may be NULL. Collective. Errors: OP_ERR_STATE. */
OP_API op_status op_hand_loop_wait(int nargs, op_arg *args);

/* End a loop: from now on the host copy of every dat that the loop has written is the current one, and copies of its
 * rows on other processes are stale. Also for a program that writes rows outside loops. Completes op_hand_loop_wait()
 * if the program has not called it. All processes must make the same call; it communicates only in that case. Errors:
 * OP_ERR_HANDLE, OP_ERR_ARGUMENT. */
OP_API op_status op_mpi_set_dirtybit(int nargs, op_arg *args);

/* Update all copies of remote rows of a dat on the host of this process: rows set->size and above of dat->data.
 * Partitions the mesh as a first loop does. Collective. Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired). */
OP_API op_status op_update_copies(op_dat dat);

/* Combine variables of the program over all processes: every global argument of args[nargs] with OP_INC, OP_MIN or
 * OP_MAX. The value on each process is its contribution; all processes receive the result. Collective. Errors:
 * OP_ERR_TYPE, OP_ERR_ARGUMENT. */
OP_API op_status op_mpi_reduce_combined(op_arg *args, int nargs);

/* Update the host copy of a dat (dat->data), only rows that this process owns. Not collective. Errors:
 * OP_ERR_HANDLE. */
OP_API op_status op_dat_sync_host(op_dat dat);

/* Tell the library that the host copy of a dat is the current one, only rows that this process owns. Not collective.
 * Errors: OP_ERR_HANDLE. */
OP_API op_status op_dat_mark_host_new(op_dat dat);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
