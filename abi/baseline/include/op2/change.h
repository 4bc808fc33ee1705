/* change.h: meshes that change while the program runs: maps that lead elsewhere.
 *
 * A program whose mesh slides or reconnects (a rotor, contact, a moved front) replaces rows of its maps. What the
 * library has found out about the mesh is found out again only where the change reaches: plans keep their blocks,
 * owners and colours elsewhere, generated code stays, and loops need not be prepared again. docs/changing_meshes.md has
 * an example.
 */
#ifndef OP2_CHANGE_H
#define OP2_CHANGE_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Replace rows of a map. elements[count]: numbers of elements of the map's first set, from 0, in the order of the
 * declaration over all processes, as in op_put_data_idx(); in any order. entries[count][dim of the map]: their new
 * rows, in the numbers of op_decl_map(). Both arrays are borrowed for the call. Each process passes rows of any
 * elements, or none (count 0); an element that is passed several times must get the same row each time. Later loops use
 * the new rows; maps that op_map_compose() has made of this one keep theirs, those of particles follow. With several
 * processes the halos are made anew if some process needs rows that it has no copies of; owners stay. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (a negative count, an array that is NULL, an element with two different rows),
 * OP_ERR_RANGE (no such element or target), OP_ERR_STATE (particles on their way), OP_ERR_MEMORY. After an error
 * nothing has changed. */
OP_API op_status op_put_map_rows(op_map map, op_index count, const op_gindex *elements, const op_gindex *entries);

/* What op_carry() does with the value of a parent that has several children. */
#define OP_CARRY_VALUES 0 /* each child gets the value: densities, pressures, marks */
#define OP_CARRY_SUMS 1   /* the value is divided among the children, so that sums stay: masses, charges */

/* Carry data to a mesh that the program has declared anew, for instance a refined one. `from` is a dat on a set of the
 * old mesh, `to` one of the same type and dim on a set of the new mesh; all rows of `to` get new values. parents: for
 * each element of the new set that this process declares, [op_get_size_declared()], the number of the element of the
 * old set that it comes from, from 0, in the order of the declaration over all processes; -1: none. what:
 * OP_CARRY_VALUES, or OP_CARRY_SUMS for dats of double or float, where the children of an element get shares of its
 * value by their weights[op_get_size_declared()], such as volumes, which are not negative; NULL: equal shares. Sums
 * over the sets are then equal but for rounding; every element of the old set must be a parent. fill[dim]: the values
 * of elements without a parent; NULL: zeros. All arrays are borrowed for the call. Collective. Errors: OP_ERR_HANDLE,
 * OP_ERR_TYPE and OP_ERR_DIM (the dats differ; sums of other types), OP_ERR_ARGUMENT (`from` is `to`, another `what`,
 * parents that are NULL, weights with OP_CARRY_VALUES, a weight that is negative or no number, an element whose value
 * cannot be divided), OP_ERR_RANGE (no such parent), OP_ERR_STATE (a dat is acquired), OP_ERR_MEMORY. After an error
 * nothing has changed. */
OP_API op_status op_carry(op_dat from, op_dat to, const op_gindex *parents, int what, const double *weights,
                          const void *fill);

OP_END_DECLS

#endif
/* SPDX-License-Identifier: MIT */
