/* loop.h: arguments of loops, and the loop itself.
 *
 *   op_par_loop(res, "res", edges,
 *               op_arg_dat(x,  0, edge_nodes, 2, "double", OP_READ),
 *               op_arg_dat(du, 0, edge_cells, 4, "double", OP_INC),
 *               op_arg_gbl(&rms, 1, "double", OP_INC));
 *
 * calls `void res(const double *x, double *du, double *rms)` once for every element of `edges`, in any order and on any
 * number of threads. The kernel receives one pointer per argument (vector arguments: an array of pointers). */
#ifndef OP2_LOOP_H
#define OP2_LOOP_H

#include "op2/types.h"

OP_BEGIN_DECLS

#define OP_MAX_ARGS 64 /* most arguments of one loop */

/* ---- arguments --------------------------------------------------------------------------------------------------
 * These only record what they are given; op_par_loop() checks it all and names loop and argument in its message. */

/* Data of a dat. idx = -1 with OP_ID: the row of the element itself. idx = k >= 0: the row that column k of `map` points to.
 * idx = -k with k >= 2: a vector argument, the kernel receives `T **` with the rows of columns 0 ... k-1.
 * dim and type repeat those of the dat and are checked. acc: OP_READ, OP_WRITE, OP_RW, OP_INC. */
OP_API op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);

/* The same; with opt == 0 the argument is switched off (dat may be NULL) and the kernel receives a null pointer. */
OP_API op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);

/* A variable of the program: `dim` values of a built-in type. OP_READ: the same values for every element.
 * OP_INC, OP_MIN, OP_MAX: a reduction; *data holds the combination of its old value and all contributions when op_par_loop()
 * returns, on every process. Kernels combine with the value they find (`*s += a;` `if (*m < a) *m = a;`).
 * OP_RW: the kernel uses *data itself, as the element before left it. OP_WRITE: the same, and it sets every component before it reads
 * it. OP_WORK: scratch memory, which it sets before it reads it and nobody reads afterwards. Such a loop runs on one core, in the order
 * of its elements, on any executor. With several processes each component (OP_WRITE, OP_RW) that some process
 * changed has the value of the first such process afterwards. */
OP_API op_arg op_arg_gbl(void *data, int dim, const char *type, op_access acc);

/* The same for user types of `type_size` bytes; OP_READ, OP_WRITE, OP_RW or OP_WORK. */
OP_API op_arg op_arg_gbl_char(char *data, int dim, const char *type, int type_size, op_access acc);

/* A reduction declared with op_decl_reduction(); the kernel combines into the value it finds. */
OP_API op_arg op_arg_gbl_reduce(void *data, int dim, const char *type, op_reduction reduction);

/* The number of the element (idx = -1, OP_ID), or of the element that column idx of `map` points to, in the order of the
 * declaration: `const int *`. Numbers begin at 0; see op_arg_idx_from_to(). */
OP_API op_arg op_arg_idx(int idx, op_map map);

/* Payload of an OP_MIN/OP_MAX argument, number `ref` (from 0) in the same loop: the kernel sets it where it changes the
 * extremum; afterwards *data belongs to the winning element (among equals to the one the library keeps first: the lowest number,
 * unless the set was renumbered, see op2/order.h). dim must be a multiple k of the extremum's dim; values k*i ... k*i+k-1 go with component i. */
OP_API op_arg op_arg_info(void *data, int dim, const char *type, int ref);
OP_API op_arg op_arg_info_char(char *data, int dim, const char *type, int type_size, int ref);

/* Twins that write the argument to *arg, for languages that cannot take structs by value. opt: as in op_opt_arg_dat().
 * type_size: bytes of one value of a user type, as in op_arg_gbl_char() and op_arg_info_char(); 0 for built-in types. */
OP_API void op_arg_dat_to(op_arg *arg, int opt, op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);
OP_API void op_arg_gbl_to(op_arg *arg, void *data, int dim, const char *type, int type_size, op_access acc);
OP_API void op_arg_gbl_reduce_to(op_arg *arg, void *data, int dim, const char *type, op_reduction reduction);
OP_API void op_arg_idx_to(op_arg *arg, int idx, op_map map);
/* As op_arg_idx_to(), with numbers that begin at `first`, 0 or 1: for kernels in languages that count from 1. Other values are refused
 * by the loop. */
OP_API void op_arg_idx_from_to(op_arg *arg, int idx, op_map map, int first);
OP_API void op_arg_info_to(op_arg *arg, void *data, int dim, const char *type, int type_size, int ref);

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Any kernel, cast: the library calls it with one pointer per argument. */
typedef void (*op_kernel_fn)(void);

/* How a range function finds the data of one argument. Frozen layout. */
typedef struct op_range_arg {
  char *base;       /* dat: row 0; global: the variable, or a private copy to reduce into; NULL: switched off */
  ptrdiff_t stride; /* bytes from a row to the next (in AoSoA from a block of rows to the next); 0 for globals */
  const int *map;   /* NULL, or the column: the target of element n is map[n * map_stride] */
  int map_stride;   /* entries per element of the map */
  int count;        /* vector arguments: number of pointers, columns map[n * map_stride + 0 ... count-1]; 0 otherwise */
  int kind;         /* OP_RANGE_... */
  op_access access;
  int dim;
  int flags;        /* OP_RANGE_OWN_NUMBER or 0 */
} op_range_arg;

#define OP_RANGE_DIRECT 0    /* base + n * stride */
#define OP_RANGE_INDIRECT 1  /* base + map[n * map_stride] * stride */
#define OP_RANGE_VECTOR 2    /* count pointers, base + map[n * map_stride + j] * stride */
#define OP_RANGE_GLOBAL 3    /* base */
#define OP_RANGE_INDEX 4     /* address of an int holding n, the number of the element */
#define OP_RANGE_MAP_INDEX 5 /* address of map[n * map_stride] */
#define OP_RANGE_OFF 6       /* a null pointer */

/* Flag of op_range_arg. On a renumbered set (op2/order.h) the number of an element is not n: an op_arg_idx(-1, OP_ID) then comes
 * as OP_RANGE_MAP_INDEX with this flag, and map[n] is the number. */
#define OP_RANGE_OWN_NUMBER 1

/* How the values of a dat lie. Programs always see AoS; see docs/layouts.md. */
#define OP_LAYOUT_AOS 0   /* row after row */
#define OP_LAYOUT_SOA 1   /* component after component */
#define OP_LAYOUT_AOSOA 2 /* blocks of rows, in each of them component after component */

/* Where component c of row r is: base + (r / block) * stride + (r % block) * size of the type + c * step. Frozen layout. */
typedef struct op_range_layout {
  ptrdiff_t step; /* bytes from a component to the next; the size of the type where rows are contiguous */
  int block;      /* rows of a block, a power of two; 1 for AoS and SoA */
  int kind;       /* OP_LAYOUT_... */
} op_range_layout;

/* What a range function gets. Fields are only ever appended. Arguments of different dats never overlap in memory. The stride is
 * dim * size of the type on every back end of this version; a range function that assumes so should check it. */
typedef struct op_range_ctx {
  size_t size;              /* sizeof(op_range_ctx) of the library */
  const op_range_arg *args; /* one per argument */
  int nargs;
  int reserved;
  op_kernel_fn element;     /* the kernel, whenever the site gave one */
  const op_range_layout *layouts; /* one per argument, or NULL: all rows are contiguous. Always NULL for the program's own range
                                     functions; code that the library generated may be made for other layouts */
} op_range_ctx;

/* Runs the kernel on the elements begin <= n < end. Compiled where the kernel is, so that the kernel is inlined: op2.hpp
 * makes one for every loop; in C, OP_RANGE_FN below does. It may be called on several threads at once and many times per loop. */
typedef void (*op_range_fn)(const op_range_ctx *ctx, int begin, int end);

/* One place in a program that calls op_par_loop: static, kept by the caller for the life of the process. `element` and `range`
 * may differ from call to call; the library notices. */
typedef struct op_loop_site {
  size_t size;             /* sizeof(op_loop_site) */
  op_kernel_fn element;    /* the kernel; NULL when only the range form exists */
  op_range_fn range;       /* or NULL */
  const char *kernel_name; /* the kernel's expression in the program text, or NULL */
  const char *file;        /* the program text, or NULL */
  int line;
  int flags;               /* OP_SITE_INDEX_BY_KIND or 0 */
  const char *text;        /* the kernel's own text, or NULL */
  uint64_t slot_owner;     /* private: zero at first */
  void *slot;              /* private: NULL at first */
} op_loop_site;
#define OP_LOOP_SITE(kernel, range, kernel_name) \
  {sizeof(op_loop_site), (kernel), (range), (kernel_name), __FILE__, __LINE__, 0, NULL, 0, NULL}

/* Flag of op_loop_site: the range function takes the numbers of op_arg_idx() from where `kind` says and does not assume that its
 * own counter is the number of the element, which it is not on a renumbered set (op2/order.h). Sites made by op2.hpp and by
 * op_par_loop_range have it. Without it loops with op_arg_idx() on such a set call the kernel through its pointer. */
#define OP_SITE_INDEX_BY_KIND 1

/* Run a kernel on all elements of a set. Collective. kernel, name and args are borrowed for the call.
 * Errors: OP_ERR_HANDLE, OP_ERR_SET, OP_ERR_DIM, OP_ERR_TYPE, OP_ERR_RANGE, OP_ERR_ACCESS, OP_ERR_ARGUMENT, OP_ERR_STATE,
 * OP_ERR_KERNEL, each naming loop and argument. */
OP_API op_status op_par_loop(op_kernel_fn kernel, const char *name, op_set set, int nargs, const op_arg *args);

/* The general door, which the spellings of C and C++ use: remembers in *site what it worked out at the first call. */
OP_API op_status op_par_loop_site(op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args);

OP_END_DECLS

#ifndef __cplusplus
/* The C spelling: op_par_loop(kernel, name, set, arg, arg, ...) as a statement. The plain function of the same name is
 * reached as (op_par_loop)(kernel, name, set, nargs, args). */
#define op_par_loop(kernel, name, set, ...) op_par_loop_range(kernel, NULL, name, set, __VA_ARGS__)

/* The same with a range function: faster, since the kernel is inlined. One that OP_RANGE_FN did not make must take the numbers of
 * op_arg_idx() from where the argument's `kind` says (OP_SITE_INDEX_BY_KIND). */
#define op_par_loop_range(kernel, range_fn, name, set, ...)                                                     \
  do {                                                                                                          \
    static op_loop_site op_site_ = OP_LOOP_SITE(NULL, NULL, #kernel);                                           \
    const op_arg op_args_[] = {__VA_ARGS__};                                                                    \
    op_site_.element = (op_kernel_fn)(kernel);                                                                  \
    op_site_.range = (range_fn);                                                                                \
    op_site_.flags = OP_SITE_INDEX_BY_KIND;                                                                     \
    (void)op_par_loop_site(&op_site_, (name), (set), (int)(sizeof op_args_ / sizeof op_args_[0]), op_args_);    \
  } while (0)
#endif

/* A range function in C. Name every parameter by its place, type, literal dim and how it is reached:
 *
 *   OP_RANGE_FN(res_range, res(OP_VIA(0, const double, 2), OP_VIA(1, double, 4), OP_GLOBAL(2, double)))
 *   op_par_loop_range(res, res_range, "res", edges, ...);
 *
 * A reduced variable that stays in memory can cost more than the kernel. OP_RANGE_FN_WITH runs statements before and after
 * the elements, so that it can live in a local variable:
 *
 *   OP_RANGE_FN_WITH(sum_range, double s = *OP_GLOBAL(1, double), sum(OP_DIRECT(0, const double, 4), &s), *OP_GLOBAL(1, double) = s)
 */
#define OP_RANGE_FN(name, call) OP_RANGE_FN_WITH(name, (void)0, call, (void)0)

/* The same with statements before and after the elements. */
#define OP_RANGE_FN_WITH(name, before, call, after)                                                    \
  static void name(const op_range_ctx *op_ctx_, int op_begin_, int op_end_) {                          \
    const op_range_arg *const op_a_ = op_ctx_->args;                                                   \
    const int *op_numbers_ = NULL; /* for OP_INDEX() on a renumbered set */                            \
    for (int op_i_ = 0; op_i_ < op_ctx_->nargs; ++op_i_)                                               \
      if (op_a_[op_i_].flags & OP_RANGE_OWN_NUMBER) op_numbers_ = op_a_[op_i_].map;                    \
    (void)op_numbers_;                                                                                 \
    before;                                                                                            \
    for (int op_n_ = op_begin_; op_n_ < op_end_; ++op_n_) call;                                        \
    after;                                                                                             \
  }

/* Parameter i: `T *` to the dim values of the element itself. */
#define OP_DIRECT(i, T, dim) ((T *)(void *)op_a_[i].base + (ptrdiff_t)op_n_ * (dim))

/* Parameter i: `T *` to the dim values of the element that the map leads to. */
#define OP_VIA(i, T, dim) \
  ((T *)(void *)op_a_[i].base + (ptrdiff_t)op_a_[i].map[(ptrdiff_t)op_n_ * op_a_[i].map_stride] * (dim))

/* Parameter i: `T *` to a variable of the program, or to the place it is reduced into. */
#define OP_GLOBAL(i, T) ((T *)(void *)op_a_[i].base)

/* `const int *` to the number of the element, what op_arg_idx(-1, OP_ID) gives. */
#define OP_INDEX() (op_numbers_ ? op_numbers_ + op_n_ : (const int *)&op_n_)

/* `const int *` to the number of the element that parameter i, op_arg_idx(k, map), leads to. */
#define OP_INDEX_VIA(i) (op_a_[i].map + (ptrdiff_t)op_n_ * op_a_[i].map_stride)

#endif
