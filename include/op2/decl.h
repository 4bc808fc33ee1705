/* decl.h: declaring the mesh: sets, maps, data, constants, reductions.
 *
 * The library copies every array it is given; the caller may free its own at once. Handles are owned by the library and
 * live until op_exit(). Names are copied, need not be unique, and appear in messages and tables. All declarations are
 * collective but those of constants and reductions. A failed declaration returns NULL and changes nothing.
 *
 * With several processes, the setting OP2_DECLARE says whose elements the sizes and arrays below are about: each process passes its
 * own part (local), or all of the mesh (replicated), or process 0 passes all of it and what others pass does not count (root). Elements
 * are numbered through in the order of the processes. Names, dims and types must be the same on all processes: otherwise OP_ERR_STATE
 * on all of them. docs/processes.md tells more.
 *
 * Type names: "double" "float" "int" "uint" "ll" (64-bit signed) "ull" "bool" (one byte); the spellings "unsigned int" "unsigned"
 * "long long" "unsigned long long" of C and "r8" "real(8)" "real*8" "r4" "real(4)" "real*4" "i4" "integer(4)" "integer*4" "i8"
 * "integer(8)" of Fortran; and any other name for a user type, whose size
 * the *_char functions take. A suffix ":soa" is a layout hint and not part of the type; it counts with
 * OP2_LAYOUT=declared (docs/layouts.md), and op_arg_dat() takes the type with it or without. */
#ifndef OP2_DECL_H
#define OP2_DECL_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* A set of `size` >= 0 elements that this process declares (see above: its own, or all). Collective.
 * Errors: OP_ERR_STATE, OP_ERR_ARGUMENT (negative size, no name; sizes that differ under replicated). */
OP_API op_set op_decl_set(idx_l_t size, const char *name);

/* A map: for each element of `from`, `dim` >= 1 elements of `to`. imap[size of from][dim], copied, holds 0-based indices
 * (1-based with the setting OP2_MAPS_BASE_INDEX=1): global numbers, whichever process declared the elements they lead to. Every entry
 * is checked. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_MEMORY, OP_ERR_RANGE with the row, the column and the value. */
OP_API op_map op_decl_map(op_set from, op_set to, int dim, const idx_l_t *imap, const char *name);

/* The same from 64-bit indices. */
OP_API op_map op_decl_map_long(op_set from, op_set to, int dim, const idx_g_t *imap, const char *name);

/* The map first, then second: entry [n][i * second.dim + j] = second[first[n][i]][j]. Kernels reach data through one map
 * only; this turns two steps into one. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_SET (first does not lead to the set second starts from). */
OP_API op_map op_map_compose(op_map first, op_map second, const char *name);

/* Data on a set: data[size of set][dim], copied; NULL = zeros. `type` is one of the built-in names. The size is that of the
 * declaration, also when the set was divided since. Collective.
 * Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE (unknown name: use op_decl_dat_char), OP_ERR_MEMORY. */
OP_API op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name);

/* The same for any type of `type_size` bytes that may be copied bytewise. */
OP_API op_dat op_decl_dat_char(op_set set, int dim, const char *type, int type_size, const char *data, const char *name);

/* Scratch data on a set, zero at first, that can be freed again before op_exit(). Names of temporary dats must be unique. Collective.
 * Errors: as op_decl_dat, and OP_ERR_ARGUMENT when a dat of that name exists. */
OP_API op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const char *name);
OP_API op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int type_size, const char *name);

/* Free a temporary dat; the handle becomes invalid. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (not temporary), OP_ERR_STATE
 * (acquired). */
OP_API op_status op_free_dat_temp(op_dat dat);

/* Tell the library the value of a constant that kernels read: `dim` values of `type`, copied. Declaring the same name again
 * updates the value. On CPUs kernels read the program's own variable; the copy is for executors that cannot (const_set in
 * plugin/exec.h). Errors: OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE.
 * In C and C++, op_decl_const(dim, type, &gam) takes the name from the expression. */
OP_API op_status op_decl_const2(const char *name, int dim, const char *type, const void *data);
OP_API op_status op_decl_const_char(int dim, const char *type, int type_size, const char *data, const char *name);
#define op_decl_const(dim, type, data) op_decl_const2(#data, (dim), (type), (data))

/* Combine `dim` values: into[i] = into[i] (+) from[i]. It must be associative up to rounding; `from` holds elements that come later: on one
 * process in the order of the declaration unless the program asked for another one (op2/order.h); several processes have orders of their own
 * unless OP2_REPRODUCIBLE=1. */
typedef void (*op_reduce_fn)(void *into, const void *from, int dim);

/* A reduction of the user's own for op_arg_gbl_reduce(). identity: one value of the type (copied) that changes nothing when
 * combined. Owned by the library. Errors: OP_ERR_ARGUMENT, OP_ERR_TYPE. */
OP_API op_reduction op_decl_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                                      const void *identity);

/* Divide the mesh among the processes, after the last declaration and before the first loop, or again later. Collective; without
 * other processes the arguments are checked and nothing changes. A program that does not call it gets the best division there is
 * (setting OP2_PARTITION) before its first loop.
 * library, routine, in any case; NULL = "":
 *   "PTSCOTCH" "KWAY", "PARMETIS" "KWAY" or "GEOMKWAY"   the graph of `map`: the set it leads to. NULL: the library chooses
 *   "GEOM", "RCB", "HILBERT", "INERTIAL"                 by `coordinates`: 1 to 3 values, double or float, on the set to divide
 *   "EXTERNAL"                                           `coordinates` has one int on the set to divide: the process of each element
 *   "RANDOM", "BLOCK" (or "")                            `set`, at random; not at all: parts as declared, to which rows come back
 *   "AUTO"                                               as without a call
 * All other sets follow through maps. A library that is not there is replaced by another with a warning; OP2_STRICT=1 makes it an error.
 * Errors: OP_ERR_STATE (processes do not pass the same), OP_ERR_HANDLE, OP_ERR_ARGUMENT (no coordinates), OP_ERR_TYPE, OP_ERR_DIM,
 * OP_ERR_SET ("GEOMKWAY" with a map and coordinates of different sets), OP_ERR_RANGE (a part that is no process), OP_ERR_BACKEND
 * (OP2_STRICT=1). A division that is refused while it is made (weights, parts) leaves the mesh in blocks, its data as they were. */
OP_API op_status op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates);

/* Parameters of op_partition_with(). Missing tail fields take their defaults, so old programs keep working. */
typedef struct op_partition_params {
  size_t size;          /* sizeof(op_partition_params), set by OP_PARTITION_PARAMS */
  const char *library;  /* as for op_partition(); NULL = "AUTO" */
  const char *routine;
  op_set set;
  op_map map;
  op_dat coordinates;
  op_dat weights;       /* NULL, or how much work each element is: one int, float or double, 0 or more, on the set to divide, which it
                           chooses when nothing else does. Not for "EXTERNAL" */
  const double *shares; /* NULL: as setting OP2_PARTITION_WEIGHTS says; or how much of the mesh each process gets, 0 or more in any unit */
  int nshares;          /* the number of processes */
} op_partition_params;
#define OP_PARTITION_PARAMS {sizeof(op_partition_params), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0}

/* As op_partition(), with named parameters: op_partition_params p = OP_PARTITION_PARAMS; p.weights = work; op_partition_with(&p);
 * May be called again when weights have changed: rows move, loops are prepared again at their next call. Names and arrays are borrowed
 * for the call. Collective; all processes pass the same shares.
 * Errors: as op_partition(), and OP_ERR_ARGUMENT (another number of shares, weights or shares that are negative, not finite or all 0),
 * OP_ERR_SET (weights on another set), OP_ERR_TYPE and OP_ERR_DIM (weights that are none). */
OP_API op_status op_partition_with(const op_partition_params *params);

/* 1 after op_partition(), 0 before it. */
OP_API int op_is_partitioned(void);

OP_END_DECLS

#endif
