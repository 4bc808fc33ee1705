/* order.h: the order in which the library keeps the elements of the mesh.
 *
 * Loops are fast when elements that are used together lie together. A mesh in a bad order (from a generator that does not
 * care, or shuffled) costs several times as much. The library looks at the maps before the first loop, gives a bad mesh a better order
 * by itself, and says so with OP2_LOG=info; the setting OP2_RENUMBER=off keeps it from that. These functions do it when and how the
 * program wants. docs/howto/mesh_order.md tells more.
 *
 * Only the library's own copy changes. The program goes on in the order of its declarations: op_fetch_data() and op_put_data() in
 * all forms, op_dat_acquire(), op_arg_idx(), and maps and data that are declared later. Two things do follow the new order: the
 * pointers in op2/heads.h, which show the library's own memory, and which element's payload is kept among equal extrema
 * (op_arg_info). Sums are rounded in another order. */
#ifndef OP2_ORDER_H
#define OP2_ORDER_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Give the mesh a better order now: the set that `base` leads to by its graph (two elements are neighbours when an element of the
 * other set leads to both), by the reverse Cuthill-McKee method; then all sets that maps connect to it, directly or not. Loops that
 * have run are prepared again at their next call. May be called again. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_DIM (the map has one column, which makes no neighbours), OP_ERR_STATE (a dat is acquired), OP_ERR_MEMORY. */
OP_API op_status op_renumber(op_map base);

/* Parameters of op_renumber_with(). Missing tail fields take their defaults, so old programs keep working. */
typedef struct op_renumber_params {
  size_t size;          /* sizeof(op_renumber_params), set by OP_RENUMBER_PARAMS */
  op_map base;          /* the set it leads to is ordered first. NULL: with coordinates their set, else the set that loops fetch
                           most from, by the map that tells its neighbours with the fewest entries */
  const char *method;   /* "rcm": reverse Cuthill-McKee. "hilbert": along a Hilbert curve through the coordinates. "scotch": the
                           method of Gibbs, Poole and Stockmeyer in the plugin part_scotch. NULL or "auto": "hilbert" with coordinates,
                           else "rcm" */
  op_dat coordinates;   /* for "hilbert": 1 to 3 values, double or float, on the set to be ordered first; else unused, may be NULL */
  const char *strategy; /* NULL or "follow": all other sets follow the first one. "separate": every set that maps with two columns or
                           more lead to is ordered by its own neighbours, the rest follow */
} op_renumber_params;
#define OP_RENUMBER_PARAMS {sizeof(op_renumber_params), NULL, NULL, NULL, NULL}

/* As op_renumber(), with named parameters: op_renumber_params p = OP_RENUMBER_PARAMS; p.method = "scotch"; op_renumber_with(&p);
 * Names are borrowed for the call. Collective.
 * Errors: as op_renumber(), and OP_ERR_ARGUMENT (an unknown method or strategy, "hilbert" without coordinates), OP_ERR_TYPE and OP_ERR_DIM
 * (coordinates that are none), OP_ERR_SET (on another set than base leads to), OP_ERR_BACKEND (the plugin is not installed). */
OP_API op_status op_renumber_with(const op_renumber_params *params);

/* The library's order of a set: order[op_get_size_local(set)] receives, for each row as the library keeps it, the number of the
 * element in the order of the declaration, from 0. For programs that read op2/heads.h. The array is the program's.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (NULL). */
OP_API op_status op_get_order(op_set set, idx_l_t *order);

OP_END_DECLS

#endif
