/* data.h: sizes of sets, and getting data in and out.
 *
 * The user always sees rows [element][dim] in the order of the declaration, whatever the library did to its own copy. With several
 * processes, "what this process declared" is its own part when the setting OP2_DECLARE is local, all of the mesh when it is replicated,
 * and under root all on process 0 and nothing on the others (docs/processes.md). While OP2_DECLARE=auto has not found out yet, the first call
 * that asks for a size or for rows makes it do so, and is collective. */
#ifndef OP2_DATA_H
#define OP2_DATA_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Elements of a set over all processes, each counted once; -1 on error. No communication once it is known how sets are
 * meant (above). */
OP_API idx_g_t op_get_size(op_set set);

/* Global number of the first element that went into the library through this process: under local the elements that processes of lower
 * rank declared, under replicated and root those of lower rank's equal shares. -1 on error. */
OP_API idx_g_t op_get_global_set_offset(op_set set);

/* Elements in the arrays that this process passes and gets (op_decl_map, op_decl_dat, op_fetch_data, op_put_data, op_dat_acquire):
 * what it declared. -1 on error. No communication. */
OP_API idx_l_t op_get_size_declared(op_set set);

/* Elements on this process as they are divided now, not as they were declared: -1 on error. With one process all four are the same;
 * with several they change at op_partition() and the first loop. */
OP_API idx_l_t op_get_size_local(op_set set);      /* those it owns */
OP_API idx_l_t op_get_size_local_core(op_set set); /* those it owns that need no other process */
OP_API idx_l_t op_get_size_local_exec(op_set set); /* those it owns, and copies of others' that it executes, too */
OP_API idx_l_t op_get_size_local_full(op_set set); /* those it owns, and copies of all kinds */

/* Facts about handles; strings are owned by the library. NULL or -1 on error. */
OP_API const char *op_set_name(op_set set); /* as declared */
OP_API const char *op_map_name(op_map map); /* as declared */
OP_API const char *op_dat_name(op_dat dat); /* as declared */
OP_API const char *op_dat_type(op_dat dat); /* name of the type of one value */
OP_API int op_dat_dim(op_dat dat);          /* values per element */
OP_API int op_dat_type_size(op_dat dat);    /* bytes of one value */
OP_API op_set op_dat_set(op_dat dat);       /* the set it lies on */
OP_API int op_map_dim(op_map map);          /* entries per element */
OP_API op_set op_map_from(op_map map);      /* the set whose elements have entries */
OP_API op_set op_map_to(op_map map);        /* the set the entries lead to */

/* Copy out what this process declared: data[declared size][dim], whoever owns the rows now. Collective. */
OP_API op_status op_fetch_data(op_dat dat, void *data);
OP_API op_status op_fetch_data_char(op_dat dat, char *data); /* the same */

/* Copy out the whole dat on every process: data[op_get_size(set)][dim]. Collective. */
OP_API op_status op_fetch_data_all(op_dat dat, void *data);

/* Copy out the elements low ... high (both included, global numbers) on every process. Collective.
 * Errors: OP_ERR_RANGE, OP_ERR_STATE (processes ask for different elements). */
OP_API op_status op_fetch_data_idx(op_dat dat, void *data, idx_g_t low, idx_g_t high);

/* The same three, inwards: replace the library's values by the user's. With several processes every process passes the same
 * values to the _all and _idx forms. Collective. */
OP_API op_status op_put_data(op_dat dat, const void *data);     /* what this process declared */
OP_API op_status op_put_data_all(op_dat dat, const void *data); /* the whole dat */
OP_API op_status op_put_data_idx(op_dat dat, const void *data, idx_g_t low, idx_g_t high); /* elements low ... high */

/* A window on the rows this process declared, in the order of the declaration: rows [declared size][dim]. It is the library's own
 * memory, or with several processes and on a renumbered set (op2/order.h) a copy that returns at the release unless it was only read.
 * Collective. OP_READ, OP_WRITE (old values may be lost) or OP_RW. Until op_dat_release() no loop may use the dat and the pointer stays
 * valid. NULL on error: OP_ERR_HANDLE, OP_ERR_ACCESS, OP_ERR_STATE (already acquired). */
OP_API void *op_dat_acquire(op_dat dat, op_access access);

/* The window's end: what was written through it counts from now on. Collective. Under replicated every process must have written the
 * same.
 * Errors: OP_ERR_HANDLE, OP_ERR_STATE (not acquired). */
OP_API op_status op_dat_release(op_dat dat);

OP_END_DECLS

#endif
