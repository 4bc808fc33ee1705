/* decl.h: declaring the mesh: sets, maps, data, constants.
 *
 * The library copies every array that it is given, so the caller may free the array after the call. The library owns
 * all handles, which are valid until op_exit(). The library copies names; names need not be unique, and appear in
 * messages and tables. All declarations are collective except those of constants. A declaration that
 * fails returns NULL and changes nothing.
 *
 * With several processes, the setting OP2_DECLARE says which elements the sizes and arrays below describe: each process
 * passes its own part (local); or each process passes the whole mesh (replicated); or process 0 passes the whole mesh,
 * and the library ignores the arrays of the other processes (root). Global numbers follow the order of the ranks.
 * Names, dims and types must be the same on all processes; if they differ, the call fails with OP_ERR_STATE on all of
 * them. See docs/processes.md.
 *
 * Type names: "double" "float" "int" "uint" "ll" (64-bit signed) "ull" "bool" (one byte); the C spellings "unsigned
 * int" "unsigned" "long long" "unsigned long long"; the Fortran spellings "r8" "real(8)" "real*8" "r4" "real(4)"
 * "real*4" "i4" "integer(4)" "integer*4" "i8" "integer(8)"; and any other name for a user type, whose size the
 * functions of op2/user_types.h take. A suffix ":soa" is a layout hint and not part of the type; it has an effect with
 * OP2_LAYOUT=declared (docs/layouts.md). op_arg_dat() takes the type with the suffix or without it. */
#ifndef OP2_DECL_H
#define OP2_DECL_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* A set of `size` >= 0 elements that this process declares (see above: its own part, or the whole mesh). Collective.
 * Errors: OP_ERR_STATE, OP_ERR_ARGUMENT (negative size, no name; sizes that differ under replicated). */
OP_API op_set op_decl_set(op_index size, const char *name);

/* A map: for each element of `from`, `dim` >= 1 elements of `to`. imap[size of from][dim], copied, holds 0-based
 * indices (1-based with the setting OP2_MAPS_BASE_INDEX=1). The indices are global: an entry may name an element that
 * another process has declared. The library checks every entry. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_MEMORY, OP_ERR_RANGE with the row, the column and the value. */
OP_API op_map op_decl_map(op_set from, op_set to, int dim, const op_index *imap, const char *name);

/* As op_decl_map(), from 64-bit indices. */
OP_API op_map op_decl_map_long(op_set from, op_set to, int dim, const op_gindex *imap, const char *name);

/* The composition of two maps: entry [n][i * second.dim + j] = second[first[n][i]][j]. A kernel reaches data through
 * one map only; the composed map replaces two steps by one. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_SET (first does not lead to the set that second starts from). */
OP_API op_map op_map_compose(op_map first, op_map second, const char *name);

/* Data on a set: data[size of set][dim], copied; NULL = zeros. `type` is one of the built-in names. The size is the
 * declared one, also after the mesh has been partitioned. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_TYPE (unknown name: see op2/user_types.h), OP_ERR_MEMORY. */
OP_API op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name);

/* Temporary data on a set, initially zero, that the program may free before op_exit(). Names of temporary dats must be
 * unique. Collective. Errors: as op_decl_dat(), and OP_ERR_ARGUMENT if a dat of that name exists. */
OP_API op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const char *name);

/* Free a temporary dat; its handle becomes invalid. Collective, without communication.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (the dat is not temporary), OP_ERR_STATE (acquired). */
OP_API op_status op_free_dat_temp(op_dat dat);

/* Tell the library the value of a constant that kernels read: data[dim] of `type`, copied. data is the variable itself:
 * a second declaration of it updates the value, one of another variable of that name is another constant. On CPUs,
 * kernels that the program's compiler made read the program's own variable; the copy is for kernels that are compiled
 * at run time. Not collective. Errors: OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE.
 * In C and C++, op_decl_const(dim, type, &gam) takes the name from the expression. */
OP_API op_status op_decl_const_named(const char *name, int dim, const char *type, const void *data);
#define op_decl_const(dim, type, data) op_decl_const_named(#data, (dim), (type), (data))

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
