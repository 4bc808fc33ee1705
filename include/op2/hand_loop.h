/* hand_loop.h: loops that a program runs by itself over the library's rows (op2/heads.h), e.g. to call BLAS between
 * them.
 *
 *   op_arg args[] = {op_arg_dat(q, 0, edge_cells, 4, "double", OP_READ), op_arg_dat(res, 0, edge_cells, 4, "double",
 * OP_INC)}; int end = op_mpi_halo_exchanges(edges, 2, args); for (int n = 0; n < end; ++n) { if (n == edges->core_size)
 * op_mpi_wait_all(2, args);
 *     ...
 *   }
 *   if (end == 0 || end == edges->core_size) op_mpi_wait_all(2, args);
 *   op_mpi_set_dirtybit(2, args);
 *
 * These are OP2's functions, with one process as well. Such a program says keep_order in op_init_params. */
#ifndef OP2_HAND_LOOP_H
#define OP2_HAND_LOOP_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Begin a loop over `set`: brings the host's copy of every dat of args[nargs] up to date, and starts to fetch the rows
 * of other processes that the loop reads. Returns how many elements the loop runs over: those of this process, and with
 * a dat that is written through a map copies of others' as well (set->size and more), which must add nothing to
 * variables of the program. Writes the addresses of rows and maps to the fields `data` and `map_data` of args, which
 * are borrowed for the call. Divides the mesh, as a first loop does. One loop at a time; collective. -1 on error, as
 * op_par_loop(). */
OP_API int op_mpi_halo_exchanges(op_set set, int nargs, op_arg *args);

/* Wait for the rows of others; to be called before element set->core_size is run. Calling it again does nothing. args
 * are those of the call before; they may be NULL. Collective. Errors: OP_ERR_STATE. */
OP_API op_status op_mpi_wait_all(int nargs, op_arg *args);

/* The end of a loop: what it has written, in the host's copy, counts from now on, and others' copies of it do not. Also
 * for a program that writes rows outside loops. Not collective, but all processes must do the same. Errors:
 * OP_ERR_HANDLE, OP_ERR_ARGUMENT. */
OP_API op_status op_mpi_set_dirtybit(int nargs, op_arg *args);

/* Bring this process's copies of other processes' rows of a dat up to date, all of them, on the host: rows set->size and more of dat->data.
 * Divides the mesh, as a first loop does. Collective. Errors: OP_ERR_HANDLE, OP_ERR_STATE (acquired). */
OP_API op_status op_update_copies(op_dat dat);

/* Combine variables of the program over all processes: every argument of args[nargs] that is a global one with OP_INC,
 * OP_MIN or OP_MAX. What each process has is its contribution. Collective. Errors: OP_ERR_TYPE, OP_ERR_ARGUMENT. */
OP_API op_status op_mpi_reduce_combined(op_arg *args, int nargs);

/* Bring the host's copy of a dat (dat->data) up to date; tell that the host's copy is the one that counts. Own rows
 * only. Errors: OP_ERR_HANDLE. */
OP_API op_status op_get_dat(op_dat dat);
OP_API op_status op_put_dat(op_dat dat);

/* All that was declared, in that order, freed dats left out. *count receives their number, 0 on error. The array is the
 * library's and good until the next call of the same function. */
OP_API const op_set *op_all_sets(int *count);
OP_API const op_map *op_all_maps(int *count);
OP_API const op_dat *op_all_dats(int *count);

OP_END_DECLS

#endif
