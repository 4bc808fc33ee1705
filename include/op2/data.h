/* data.h: sizes of sets, and transfers between the program's arrays and the library.
 *
 * The program always sees rows [element][dim] in the order of the declaration, whatever order and layout the library
 * uses internally. With several processes, the elements that a process has declared are its own part if the setting
 * OP2_DECLARE is local, and the whole mesh if it is replicated; under root, process 0 has declared the whole mesh and
 * the other processes nothing (docs/processes.md). As long as OP2_DECLARE=auto is undecided, the first call that asks
 * for a size or for rows makes the library decide; that call is collective. */
#ifndef OP2_DATA_H
#define OP2_DATA_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Number of elements of a set over all processes, each element counted once; -1 on error. No communication once
 * OP2_DECLARE is decided (see above). Errors: OP_ERR_HANDLE. */
OP_API op_gindex op_get_size(op_set set);

/* Number of elements in the arrays that this process passes and receives (op_decl_map, op_decl_dat, op_fetch_data,
 * op_put_data, op_dat_acquire): the declared size. -1 on error. No communication. */
OP_API op_index op_get_size_declared(op_set set);

/* Copy the elements that this process has declared into data[declared size][dim], whichever process owns them now. The
 * array is the program's. With several processes that is a part of the dat on each, unless OP2_DECLARE is replicated or
 * root. Where op_mesh_declare() (op2/meshfile.h) has divided the mesh, the library warns once that the rest is missing.
 * Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (NULL), OP_ERR_STATE. */
OP_API op_status op_fetch_data(op_dat dat, void *data);

/* Copy the whole dat into data[op_get_size(set)][dim] on every process. Collective. Errors: as op_fetch_data(). */
OP_API op_status op_fetch_data_all(op_dat dat, void *data);

/* Copy the elements low ... high (both included, global numbers) into data[high - low + 1][dim] on every process.
 * Collective. Errors: as op_fetch_data(), OP_ERR_RANGE, OP_ERR_STATE (processes request different elements). */
OP_API op_status op_fetch_data_idx(op_dat dat, void *data, op_gindex low, op_gindex high);

/* The same three transfers in the other direction: replace the library's values by those of the program. With several
 * processes, every process passes the same values to the _all and _idx forms. Collective. Shapes and errors: as
 * above. */
OP_API op_status op_put_data(op_dat dat, const void *data);     /* the elements that this process has declared */
OP_API op_status op_put_data_all(op_dat dat, const void *data); /* the whole dat */
OP_API op_status op_put_data_idx(op_dat dat, const void *data, op_gindex low,
                                 op_gindex high); /* elements low ... high */

/* Open a host view of the elements that this process has declared, in the order of the declaration: rows [declared
 * size][dim]. The view is the library's own memory, or, with several processes and on a renumbered set (op2/order.h), a
 * copy that the library copies back at the release unless access is OP_READ. access: OP_READ, OP_WRITE (old values may
 * be lost) or OP_RW. Until op_dat_release() the pointer stays valid and no loop may use the dat. The library owns the
 * memory. Collective. NULL on error: OP_ERR_HANDLE, OP_ERR_ACCESS, OP_ERR_STATE (already acquired). */
OP_API void *op_dat_acquire(op_dat dat, op_access access);

/* Close the host view: from now on the library uses the values that the program has written through it. Collective.
 * Under replicated, every process must have written the same values. Errors: OP_ERR_HANDLE, OP_ERR_STATE (not
 * acquired). */
OP_API op_status op_dat_release(op_dat dat);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
