/* order.h: the order in which the library stores the elements of the mesh.
 *
 * Loops are fast if elements that are used together are close in memory. A mesh in a bad order (from a generator that
 * ignores locality, or shuffled) can take several times as long. Before the first loop the library inspects the maps,
 * renumbers a mesh in a bad order, and reports it with OP2_LOG=info; the setting OP2_RENUMBER=off prevents that. With
 * the functions here the program chooses when and how the library renumbers. See docs/howto/mesh_order.md.
 *
 * Only the library's own copy changes. The program keeps the order of its declarations: in op_fetch_data() and
 * op_put_data() in all forms, in op_dat_acquire(), in op_arg_idx(), and for maps and data that it declares later. Two
 * things do follow the new order: the pointers in op2/heads.h, which point to the library's own memory, and the choice
 * of the payload among equal extrema (op_arg_payload). The rounding of sums differs, too. */
#ifndef OP2_ORDER_H
#define OP2_ORDER_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Renumber the mesh now. The library first orders the set that `base` points to, by reverse Cuthill-McKee on its graph
 * (two elements are neighbours if an element of the other set points to both; start vertices by the method of George
 * and Liu 1979); then all sets that maps connect to it, directly or not. Loops that have run are prepared again at
 * their next call. The program may call it again. Collective. Errors: OP_ERR_HANDLE, OP_ERR_DIM (the map has one column
 * and leads to another set, so that it defines no neighbours), OP_ERR_STATE (a dat is acquired), OP_ERR_MEMORY. */
OP_API op_status op_renumber(op_map base);

/* Parameters of op_renumber_with(). Missing tail fields take their defaults, so that old programs keep working. */
typedef struct op_renumber_params {
  size_t size; /* sizeof(op_renumber_params), set by OP_RENUMBER_PARAMS */
  op_map
      base; /* the library first orders the set that this map points to. NULL: with coordinates their set, otherwise the
               set that loops fetch most data from, by the map with the fewest entries that defines its neighbours */
  const char *method; /* "rcm": reverse Cuthill-McKee. "hilbert": along a Hilbert curve through the coordinates
                         (Skilling 2004). "scotch": the method of Gibbs, Poole and Stockmeyer in the plugin part_scotch.
                         NULL or "auto": "hilbert" with coordinates, otherwise "rcm" */
  op_dat coordinates; /* for "hilbert": 1 to 3 values, double or float, on the set that is ordered first; otherwise
                         unused, may be NULL */
  const char
      *strategy; /* NULL or "follow": all other sets follow the first one. "separate": the library orders every set that
                    maps with two or more columns point to by the neighbours in that set; the remaining sets follow */
} op_renumber_params;
#define OP_RENUMBER_PARAMS {sizeof(op_renumber_params), NULL, NULL, NULL, NULL}

/* As op_renumber(), with named parameters: op_renumber_params p = OP_RENUMBER_PARAMS; p.method = "scotch";
 * op_renumber_with(&p); Strings are borrowed for the call. Collective.
 * Errors: as op_renumber(), and OP_ERR_ARGUMENT (an unknown method or strategy, "hilbert" without coordinates),
 * OP_ERR_TYPE and OP_ERR_DIM (coordinates of a wrong type or dim), OP_ERR_SET (coordinates on another set than the one
 * that base points to), OP_ERR_BACKEND (the plugin is not installed). */
OP_API op_status op_renumber_with(const op_renumber_params *params);

/* The library's order of a set: order[op_get_size_local(set)] receives, for each row in the library's order, the number
 * of the element in the order of the declaration, from 0. For programs that read op2/heads.h. The array is the
 * program's. Collective only as long as OP2_DECLARE=auto is undecided (data.h). Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT
 * (NULL). */
OP_API op_status op_get_order(op_set set, op_index *order);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
