/* decl.h: declaring the mesh: sets, maps, data, constants, reductions.
 *
 * The library copies every array that it is given, so the caller may free the array after the call. The library owns
 * all handles, which are valid until op_exit(). The library copies names; names need not be unique, and appear in
 * messages and tables. All declarations are collective except those of constants and reductions. A declaration that
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
 * "real*4" "i4" "integer(4)" "integer*4" "i8" "integer(8)"; and any other name for a user type, whose size the *_char
 * functions take. A suffix ":soa" is a layout hint and not part of the type; it has an effect with OP2_LAYOUT=declared
 * (docs/layouts.md). op_arg_dat() takes the type with the suffix or without it. */
#ifndef OP2_DECL_H
#define OP2_DECL_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* A set of `size` >= 0 elements that this process declares (see above: its own part, or the whole mesh). Collective.
 * Errors: OP_ERR_STATE, OP_ERR_ARGUMENT (negative size, no name; sizes that differ under replicated). */
OP_API op_set op_decl_set(idx_l_t size, const char *name);

/* A map: for each element of `from`, `dim` >= 1 elements of `to`. imap[size of from][dim], copied, holds 0-based
 * indices (1-based with the setting OP2_MAPS_BASE_INDEX=1). The indices are global: an entry may name an element that
 * another process has declared. The library checks every entry. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_MEMORY, OP_ERR_RANGE with the row, the column and the value. */
OP_API op_map op_decl_map(op_set from, op_set to, int dim, const idx_l_t *imap, const char *name);

/* As op_decl_map(), from 64-bit indices. */
OP_API op_map op_decl_map_long(op_set from, op_set to, int dim, const idx_g_t *imap, const char *name);

/* The composition of two maps: entry [n][i * second.dim + j] = second[first[n][i]][j]. A kernel reaches data through
 * one map only; the composed map replaces two steps by one. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_SET (first does not lead to the set that second starts from). */
OP_API op_map op_map_compose(op_map first, op_map second, const char *name);

/* Data on a set: data[size of set][dim], copied; NULL = zeros. `type` is one of the built-in names. The size is the
 * declared one, also after the mesh has been partitioned. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT,
 * OP_ERR_DIM, OP_ERR_TYPE (unknown name: use op_decl_dat_char), OP_ERR_MEMORY. */
OP_API op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name);

/* As op_decl_dat(), for any type of `type_size` bytes that may be copied bytewise. */
OP_API op_dat op_decl_dat_char(op_set set, int dim, const char *type, int type_size, const char *data,
                               const char *name);

/* Temporary data on a set, initially zero, that the program may free before op_exit(). Names of temporary dats must be
 * unique. Collective. Errors: as op_decl_dat(), and OP_ERR_ARGUMENT if a dat of that name exists. */
OP_API op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const char *name);
OP_API op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int type_size, const char *name);

/* Free a temporary dat; its handle becomes invalid. Collective, without communication.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (the dat is not temporary), OP_ERR_STATE (acquired). */
OP_API op_status op_free_dat_temp(op_dat dat);

/* Tell the library the value of a constant that kernels read: data[dim] of `type`, copied. data is the variable itself:
 * a second declaration of it updates the value, one of another variable of that name is another constant. On CPUs,
 * kernels that the program's compiler made read the program's own variable; the copy is for kernels that are compiled
 * at run time. Not collective. Errors: OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE.
 * In C and C++, op_decl_const(dim, type, &gam) takes the name from the expression. */
OP_API op_status op_decl_const2(const char *name, int dim, const char *type, const void *data);
OP_API op_status op_decl_const_char(int dim, const char *type, int type_size, const char *data, const char *name);
#define op_decl_const(dim, type, data) op_decl_const2(#data, (dim), (type), (data))

/* Combines `dim` values: into[i] = into[i] (+) from[i]. The operation must be associative up to rounding. `from` holds
 * the contribution of later elements: on one process in the order of the declaration, unless the program has asked for
 * another order (op2/order.h); with several processes the order depends on the partition, unless OP2_REPRODUCIBLE=1. */
typedef void (*op_reduce_fn)(void *into, const void *from, int dim);

/* A user-defined reduction for op_arg_gbl_reduce(). identity: one value of the type, copied, that changes no value when
 * it is combined with it. The library owns the handle. Not collective. Errors: OP_ERR_ARGUMENT, OP_ERR_TYPE. */
OP_API op_reduction op_decl_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                                      const void *identity);

/* Partition the mesh over the processes, after the last declaration and before the first loop, or again later.
 * Collective. With one process the library checks the arguments and changes nothing. If the program does not call this
 * function, the library partitions the mesh before the first loop with the best method that is available (setting
 * OP2_PARTITION). library and routine, in upper or lower case, borrowed for the call; NULL = "":
 *
 *   "PTSCOTCH" "KWAY", "PARMETIS" "KWAY" or "GEOMKWAY"   the graph of the set that `map` leads to. NULL: the library
 *                                                        chooses a map
 *   "GEOM", "RCB", "HILBERT", "INERTIAL"                 by `coordinates`: dim 1 to 3, double or float, on the set
 *   "EXTERNAL"                                           `coordinates` has one int per element of the set: its rank
 *   "RANDOM"                                             `set`, at random
 *   "BLOCK" (or "")                                      the declared parts; rows that have moved return to them
 *   "AUTO"                                               as if the program had not called this function
 *
 * All other sets follow through maps. If a library is not installed, another one replaces it with a warning; with
 * OP2_FALLBACK=error this is an error. "RCB": recursive coordinate bisection (Berger, Bokhari 1987); "INERTIAL": the
 * same along principal axes (Simon 1991); "HILBERT": pieces of a Hilbert curve (coded after Skilling 2004).
 *
 * Errors: OP_ERR_STATE (the processes pass different arguments), OP_ERR_HANDLE, OP_ERR_ARGUMENT (no coordinates),
 * OP_ERR_TYPE, OP_ERR_DIM, OP_ERR_SET ("GEOMKWAY" with a map and coordinates of different sets), OP_ERR_RANGE (a part
 * that is not a rank), OP_ERR_BACKEND (OP2_FALLBACK=error). If the partitioning itself fails (weights, parts), the mesh
 * stays in blocks, and its data keep their values. */
OP_API op_status op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates);

/* Parameters of op_partition_with(). Missing tail fields take their defaults, so that old programs keep working. */
typedef struct op_partition_params {
  size_t size;         /* sizeof(op_partition_params), set by OP_PARTITION_PARAMS */
  const char *library; /* as for op_partition(); NULL = "AUTO" */
  const char *routine;
  op_set set;
  op_map map;
  op_dat coordinates;
  op_dat weights; /* NULL, or the work of each element, in any unit: one int, float or double, 0 or more, on the set to
                     partition. If no other argument names that set, the weights do. Not for "EXTERNAL" */
  const double *shares; /* NULL: the setting OP2_PARTITION_WEIGHTS applies; or shares[nshares]: the share of the mesh
                           that each process receives, 0 or more, in any unit */
  int nshares;          /* the number of processes */
} op_partition_params;
#define OP_PARTITION_PARAMS \
  { sizeof(op_partition_params), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 }

/* As op_partition(), with named parameters: op_partition_params p = OP_PARTITION_PARAMS; p.weights = work;
 * op_partition_with(&p); The program may call it again when weights have changed: the library moves the rows, and
 * prepares loops again at their next call. Names and arrays are borrowed for the call. Collective; all processes pass
 * the same shares. Errors: as op_partition(), and OP_ERR_ARGUMENT (the number of shares is wrong; weights or shares are
 * negative, not finite or all 0), OP_ERR_SET (weights on another set), OP_ERR_TYPE and OP_ERR_DIM (weights of a wrong
 * type or dim). */
OP_API op_status op_partition_with(const op_partition_params *params);

/* 1 after the program has called op_partition() or op_partition_with(), otherwise 0, also when the first loop has
 * partitioned the mesh. Not collective. */
OP_API int op_is_partitioned(void);

OP_END_DECLS

#endif
