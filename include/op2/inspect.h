/* inspect.h: what was declared, and which rows this process has.
 *
 * Libraries above this one and programs that read op2/heads.h need these facts; a solver passes sizes and dims itself.
 */
#ifndef OP2_INSPECT_H
#define OP2_INSPECT_H

#include "op2/types.h"

OP_BEGIN_DECLS

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

/* All declared sets, maps or dats in the order of declaration, without freed dats. *count receives their number, 0 on
 * error. The library owns the array, which is valid until the next call of the same function. NULL on error:
 * OP_ERR_ARGUMENT (count is NULL), OP_ERR_STATE. Not collective. */
OP_API const op_set *op_all_sets(int *count);
OP_API const op_map *op_all_maps(int *count);
OP_API const op_dat *op_all_dats(int *count);

/* Global number of the first element that entered the library through this process. Under OP2_DECLARE=local: the number
 * of elements that processes of lower rank have declared; under replicated and root: the sum of the equal shares of the
 * lower ranks. -1 on error. Communication: as op_get_size(). */
OP_API op_gindex op_get_global_set_offset(op_set set);

/* Number of elements on this process in the present partition, not in the declaration; -1 on error. With one process
 * all four numbers are equal. With several processes op_partition() and the first loop change them. Communication: as
 * op_get_size(). */
OP_API op_index op_get_size_local(op_set set);      /* owned elements */
OP_API op_index op_get_size_local_core(op_set set); /* owned elements that need no data of another process */
OP_API op_index op_get_size_local_exec(op_set set); /* owned elements, and copies that this process executes, too */
OP_API op_index op_get_size_local_full(op_set set); /* owned elements, and copies of all kinds */

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
