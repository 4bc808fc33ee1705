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
OP_API idx_g_t op_get_size(op_set set);

/* Global number of the first element that entered the library through this process. Under local: the number of elements
 * that processes of lower rank have declared; under replicated and root: the sum of the equal shares of the lower
 * ranks. -1 on error. Communication: as op_get_size(). */
OP_API idx_g_t op_get_global_set_offset(op_set set);

/* Number of elements in the arrays that this process passes and receives (op_decl_map, op_decl_dat, op_fetch_data,
 * op_put_data, op_dat_acquire): the declared size. -1 on error. No communication. */
OP_API idx_l_t op_get_size_declared(op_set set);

/* Number of elements on this process in the present partition, not in the declaration; -1 on error. With one process
 * all four numbers are equal. With several processes op_partition() and the first loop change them. Communication: as
 * op_get_size(). */
OP_API idx_l_t op_get_size_local(op_set set);      /* owned elements */
OP_API idx_l_t op_get_size_local_core(op_set set); /* owned elements that need no data of another process */
OP_API idx_l_t op_get_size_local_exec(op_set set); /* owned elements, and copies that this process executes, too */
OP_API idx_l_t op_get_size_local_full(op_set set); /* owned elements, and copies of all kinds */

/* Properties of handles. The library owns the strings, which live as long as the handle. NULL or -1 on error. Not
 * collective. */
OP_API const char *op_set_name(op_set set); /* as declared */
OP_API const char *op_map_name(op_map map); /* as declared */
OP_API const char *op_dat_name(op_dat dat); /* as declared */
OP_API const char *op_dat_type(op_dat dat); /* name of the type of one value */
OP_API int op_dat_dim(op_dat dat);          /* values per element */
OP_API int op_dat_type_size(op_dat dat);    /* bytes of one value */
OP_API op_set op_dat_set(op_dat dat);       /* the set of the dat */
OP_API int op_map_dim(op_map map);          /* entries per element */
OP_API op_set op_map_from(op_map map);      /* the set whose elements have entries */
OP_API op_set op_map_to(op_map map);        /* the set that the entries point to */

/* Copy the elements that this process has declared into data[declared size][dim], whichever process owns them now. The
 * array is the program's. With several processes that is a part of the dat on each, unless OP2_DECLARE is replicated or
 * root. Where op_mesh_declare() has divided the mesh, op_fetch_data() warns once that the rest is missing;
 * op_fetch_data_own() copies the same rows without the warning. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT
 * (NULL), OP_ERR_STATE. */
OP_API op_status op_fetch_data(op_dat dat, void *data);
OP_API op_status op_fetch_data_char(op_dat dat, char *data); /* the same */
OP_API op_status op_fetch_data_own(op_dat dat, void *data);  /* the same without the warning */

/* Copy the whole dat into data[op_get_size(set)][dim] on every process. Collective. Errors: as op_fetch_data(). */
OP_API op_status op_fetch_data_all(op_dat dat, void *data);

/* Copy the elements low ... high (both included, global numbers) into data[high - low + 1][dim] on every process.
 * Collective. Errors: as op_fetch_data(), OP_ERR_RANGE, OP_ERR_STATE (processes request different elements). */
OP_API op_status op_fetch_data_idx(op_dat dat, void *data, idx_g_t low, idx_g_t high);

/* The same three transfers in the other direction: replace the library's values by those of the program. With several
 * processes, every process passes the same values to the _all and _idx forms. Collective. Shapes and errors: as
 * above. */
OP_API op_status op_put_data(op_dat dat, const void *data);     /* the elements that this process has declared */
OP_API op_status op_put_data_all(op_dat dat, const void *data); /* the whole dat */
OP_API op_status op_put_data_idx(op_dat dat, const void *data, idx_g_t low, idx_g_t high); /* elements low ... high */

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
