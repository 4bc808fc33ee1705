/* loop.h: arguments of loops, and the loop itself.
 *
 *   op_par_loop(res, "res", edges,
 *               op_arg_dat(x,  0, edge_nodes, 2, "double", OP_READ),
 *               op_arg_dat(du, 0, edge_cells, 4, "double", OP_INC),
 *               op_arg_gbl(&rms, 1, "double", OP_INC));
 *
 * calls `void res(const double *x, double *du, double *rms)` once for every element of `edges`, in any order and on any
 * number of threads. The kernel receives one pointer per argument (for a vector argument: an array of pointers). */
#ifndef OP2_LOOP_H
#define OP2_LOOP_H

#include "op2/types.h"

OP_BEGIN_DECLS

#define OP_MAX_ARGS 64 /* largest number of arguments of a loop */

/* ---- arguments --------------------------------------------------------------------------------------------------
 * These functions only record their parameters. op_par_loop() checks them, and its messages name loop and argument. Not
 * collective. */

/* Data of a dat. idx = -1 with OP_ID: the row of the element itself. idx = k >= 0: the row that column k of `map`
 * points to. idx = -k with k >= 2: a vector argument; the kernel receives `T **` with the rows of columns 0 ... k-1.
 * dim and type repeat those of the dat; the loop compares them. acc: OP_READ, OP_WRITE, OP_RW, OP_INC. */
OP_API op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);

/* As op_arg_dat(); with opt == 0 the argument is switched off (dat may be NULL), and the kernel receives a null
 * pointer. */
OP_API op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);

/* A variable of the program: data[dim] of a built-in type, borrowed for the loop. OP_READ: every element sees the same
 * values. OP_INC, OP_MIN, OP_MAX: a reduction; when op_par_loop() returns, data holds on every process the combination
 * of its old value and all contributions. The kernel combines its contribution with the value that it finds
 * (`*s += a;` `if (*m < a) *m = a;`). OP_RW: the kernel uses data itself, as the previous element has left it.
 * OP_WRITE: as OP_RW, but the kernel sets every component before it reads it. OP_WORK: scratch memory, which the kernel
 * sets before it reads it and which the program does not read afterwards. A loop with OP_RW, OP_WRITE or OP_WORK runs
 * on one core, in the order of its elements, on every executor. With several processes, each component (OP_WRITE,
 * OP_RW) that any process has changed then has the value of the process of lowest rank among those that have changed
 * it. */
OP_API op_arg op_arg_gbl(void *data, int dim, const char *type, op_access acc);

/* The number of the element (idx = -1, OP_ID), or of the element that column idx of `map` points to, in the order of
 * the declaration; the kernel receives `const int *`. Numbers begin at 0. */
OP_API op_arg op_arg_idx(int idx, op_map map);

/* Payload data[dim] of the OP_MIN or OP_MAX argument at position `ref` (from 0) of the same loop. The kernel sets the
 * payload where it changes the extremum; after the loop, data holds the payload of the element that attained the
 * extremum. Among equal extrema the library keeps the element that comes first in its own order: the lowest number,
 * unless the set has been renumbered (op2/order.h). dim must be a multiple k of the extremum's dim; values k*i ...
 * k*i+k-1 belong to component i. */
OP_API op_arg op_arg_payload(void *data, int dim, const char *type, int ref);

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* A kernel of any type, cast to this one. The library calls it with one pointer per argument. */
typedef void (*op_kernel_fn)(void);

/* Tells a range function where the data of one argument are. Frozen layout. */
typedef struct op_range_arg {
  char *base;       /* dat: row 0; global: the variable, or a private copy to reduce into; NULL: switched off */
  ptrdiff_t stride; /* bytes from one row to the next; 0 for globals */
  const int *map;   /* NULL, or the column: the target of element n is map[n * map_stride] */
  int map_stride;   /* entries per element of the map */
  int count; /* vector arguments: number of pointers, for columns map[n * map_stride + 0 ... count-1]; 0 otherwise */
  int kind;  /* OP_RANGE_... */
  op_access access;
  int dim;
  int flags; /* OP_RANGE_OWN_NUMBER, OP_RANGE_USED_AGAIN, or 0 */
} op_range_arg;

#define OP_RANGE_DIRECT 0    /* base + n * stride */
#define OP_RANGE_INDIRECT 1  /* base + map[n * map_stride] * stride */
#define OP_RANGE_VECTOR 2    /* count pointers, base + map[n * map_stride + j] * stride */
#define OP_RANGE_GLOBAL 3    /* base */
#define OP_RANGE_INDEX 4     /* address of an int holding n, the number of the element */
#define OP_RANGE_MAP_INDEX 5 /* address of map[n * map_stride] */
#define OP_RANGE_ABSENT 6    /* a null pointer */

/* Flag of op_range_arg. On a renumbered set (op2/order.h) the number of an element is not n: the library then passes
 * op_arg_idx(-1, OP_ID) as OP_RANGE_MAP_INDEX with this flag, and map[n] is the number. */
#define OP_RANGE_OWN_NUMBER 1

/* Flag of op_range_arg, a hint: the rows that these elements write are used again while they are in the caches, so
 * stores that go past the caches would do harm. */
#define OP_RANGE_USED_AGAIN 2

/* Layouts of the values of a dat in memory. Programs always see AoS; see docs/layouts.md. */
#define OP_LAYOUT_AOS 0 /* array of structures: row after row */
#define OP_LAYOUT_SOA 1 /* structure of arrays: component after component */

/* The address of component c of row r is base + r * stride + c * step. Frozen layout. */
typedef struct op_range_layout {
  ptrdiff_t step; /* bytes from one component to the next; the size of the type if rows are contiguous */
  int kind;       /* OP_LAYOUT_... */
} op_range_layout;

/* The parameter of a range function, borrowed for the call. Later versions only append fields. Arguments of different
 * dats never overlap in memory. In this version the stride is dim * size of the type on every back end; a range
 * function that relies on this should check it. */
typedef struct op_range_ctx {
  size_t size;              /* sizeof(op_range_ctx) of the library */
  const op_range_arg *args; /* one per argument */
  int nargs;
  int reserved;
  op_kernel_fn element;           /* the kernel; NULL if the site has none */
  const op_range_layout *layouts; /* one per argument; NULL: all rows are contiguous. Always NULL for range functions of
                                     the program; only code that the library has generated handles other layouts */
} op_range_ctx;

/* A range function runs the kernel on the elements begin <= n < end. The compiler sees it together with the kernel, so
 * that it inlines the kernel: op2.hpp makes a range function for every loop; in C, OP_RANGE_FN below does. The executor
 * may call it on several threads at once and many times per loop. */
typedef void (*op_range_fn)(const op_range_ctx *ctx, int begin, int end);

/* Range functions of one loop that have the same bits as each other, on any division of the elements: the library takes
 * the one that is the fastest. They add what a kernel gives a row through a map, or a global, at once for each element.
 * One that has other last bits, since the compiler may fuse its products and sums, has the isa "range". A list ends with
 * an entry whose `range` is NULL. op2.hpp makes lists; see cpp/lanes.hpp. */
typedef struct op_range_lanes {
  op_range_fn range;
  const char *isa; /* what it needs of the processor: "avx2", "neon", "scalar", "range"; others are passed over */
  int lanes;       /* elements at once */
  int reserved;    /* 0 */
} op_range_lanes;

/* One place in a program that calls op_par_loop: static, owned by the caller for the life of the process. `element` and
 * `range` may change from call to call; the library detects the change. */
typedef struct op_loop_site {
  size_t size;             /* sizeof(op_loop_site) */
  op_kernel_fn element;    /* the kernel; NULL when only the range form exists */
  op_range_fn range;       /* or NULL */
  const char *kernel_name; /* the expression of the kernel in the program text, or NULL */
  const char *file;        /* path of the program text, or NULL */
  int line;
  int flags;           /* OP_SITE_... */
  const char *text;    /* the kernel's text as op_kernel_source() has it, or that of its unit (OP_UNIT_TEXT), or NULL */
  uint64_t slot_owner; /* private: initially zero */
  void *slot;          /* private: initially NULL */
  const op_range_lanes *lanes; /* or NULL; sites of older programs end before it */
} op_loop_site;
#define OP_LOOP_SITE(kernel, range, kernel_name) \
  { sizeof(op_loop_site), (kernel), (range), (kernel_name), __FILE__, __LINE__, 0, OP_UNIT_TEXT, 0, NULL, NULL }

/* The text of the translation unit as its compiler saw it, from which the library makes code for the unit's loops. A
 * compiler that keeps it defines this anew: op2cxx, op2cc, or g++ with the options of op2-config --cxxflags. NULL: the
 * unit was compiled without, and its loops run as compiled; -DOP_UNIT_TEXT=NULL asks for that. */
#ifndef OP_UNIT_TEXT
#define OP_UNIT_TEXT NULL
#endif

/* Flag of op_loop_site: the range function takes the numbers of op_arg_idx() from the place that `kind` names. It does
 * not assume that its own counter is the number of the element, which is wrong on a renumbered set (op2/order.h).
 * op2.hpp and op_par_loop_range set the flag. Without the flag, loops with op_arg_idx() on such a set call the kernel
 * through its pointer. */
#define OP_SITE_INDEX_BY_KIND 1

/* Flag of op_loop_site: the kernel is a procedure in Fortran. kernel_name is its symbol in the program, such as
 * __flow_MOD_flux; the library finds its text in the program. The Fortran modules set the flag. */
#define OP_SITE_FORTRAN 2

/* Run a kernel on all elements of a set. Collective. name and args[nargs] are borrowed for the call.
 * Errors: OP_ERR_HANDLE, OP_ERR_SET, OP_ERR_DIM, OP_ERR_TYPE, OP_ERR_RANGE, OP_ERR_ACCESS, OP_ERR_ARGUMENT,
 * OP_ERR_STATE, OP_ERR_KERNEL; the message names loop and argument. */
OP_API op_status op_par_loop(op_kernel_fn kernel, const char *name, op_set set, int nargs, const op_arg *args);

/* As op_par_loop(), with the kernel in *site: the general form, which the macros of C and C++ call. The library keeps
 * in *site what it has prepared at the first call, so that later calls are cheaper. */
OP_API op_status op_par_loop_site(op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args);

OP_END_DECLS

#ifndef __cplusplus
/* The macro of C: op_par_loop(kernel, name, set, arg, arg, ...) as a statement. (op_par_loop)(kernel, name, set, nargs,
 * args) calls the function of the same name. */
#define op_par_loop(kernel, name, set, ...) op_par_loop_range(kernel, NULL, name, set, __VA_ARGS__)

/* The same with a range function: faster, since the compiler inlines the kernel. A range function that OP_RANGE_FN has
 * not made must take the numbers of op_arg_idx() from the place that the argument's `kind` names
 * (OP_SITE_INDEX_BY_KIND). */
#define op_par_loop_range(kernel, range_fn, name, set, ...)                                                  \
  do {                                                                                                       \
    static op_loop_site op_site_ = OP_LOOP_SITE(NULL, NULL, #kernel);                                        \
    const op_arg op_args_[] = {__VA_ARGS__};                                                                 \
    op_site_.element = (op_kernel_fn)(kernel);                                                               \
    op_site_.range = (range_fn);                                                                             \
    op_site_.flags = OP_SITE_INDEX_BY_KIND;                                                                  \
    (void)op_par_loop_site(&op_site_, (name), (set), (int)(sizeof op_args_ / sizeof op_args_[0]), op_args_); \
  } while (0)
#endif

/* Defines a range function in C. The call names every parameter by its position, type, literal dim and access path:
 *
 *   OP_RANGE_FN(res_range, res(OP_VIA(0, const double, 2), OP_VIA(1, double, 4), OP_GLOBAL(2, double)))
 *   op_par_loop_range(res, res_range, "res", edges, ...);
 *
 * A reduced variable that stays in memory can cost more time than the kernel. OP_RANGE_FN_WITH runs statements before
 * and after the elements, so that the program can keep such a value in a local variable:
 *
 *   OP_RANGE_FN_WITH(sum_range, double s = *OP_GLOBAL(1, double), sum(OP_DIRECT(0, const double, 4), &s),
 *                    *OP_GLOBAL(1, double) = s)
 */
#define OP_RANGE_FN(name, call) OP_RANGE_FN_WITH(name, (void)0, call, (void)0)

/* As OP_RANGE_FN, with statements before and after the elements. */
#define OP_RANGE_FN_WITH(name, before, call, after)                                 \
  static void name(const op_range_ctx *op_ctx_, int op_begin_, int op_end_) {       \
    const op_range_arg *const op_a_ = op_ctx_->args;                                \
    const int *op_numbers_ = NULL; /* for OP_INDEX() on a renumbered set */         \
    for (int op_i_ = 0; op_i_ < op_ctx_->nargs; ++op_i_)                            \
      if (op_a_[op_i_].flags & OP_RANGE_OWN_NUMBER) op_numbers_ = op_a_[op_i_].map; \
    (void)op_numbers_;                                                              \
    before;                                                                         \
    for (int op_n_ = op_begin_; op_n_ < op_end_; ++op_n_) call;                     \
    after;                                                                          \
  }

/* Parameter i: `T *` to the dim values of the element itself. */
#define OP_DIRECT(i, T, dim) ((T *)(void *)op_a_[i].base + (ptrdiff_t)op_n_ * (dim))

/* Parameter i: `T *` to the dim values of the element that the map points to. */
#define OP_VIA(i, T, dim) \
  ((T *)(void *)op_a_[i].base + (ptrdiff_t)op_a_[i].map[(ptrdiff_t)op_n_ * op_a_[i].map_stride] * (dim))

/* Parameter i: `T *` to a variable of the program, or to the partial result of a reduction. */
#define OP_GLOBAL(i, T) ((T *)(void *)op_a_[i].base)

/* `const int *` to the number of the element, as op_arg_idx(-1, OP_ID) defines it. */
#define OP_INDEX() (op_numbers_ ? op_numbers_ + op_n_ : (const int *)&op_n_)

/* `const int *` to the number of the element that parameter i, op_arg_idx(k, map), points to. */
#define OP_INDEX_VIA(i) (op_a_[i].map + (ptrdiff_t)op_n_ * op_a_[i].map_stride)

#endif

/* SPDX-License-Identifier: MIT */
