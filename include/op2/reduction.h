/* reduction.h: reductions with an operation of the program, e.g. the greatest common divisor. */
#ifndef OP2_REDUCTION_H
#define OP2_REDUCTION_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Combines `dim` values: into[i] = into[i] (+) from[i]. The operation must be associative up to rounding. `from` holds
 * the contribution of later elements: on one process in the order of the declaration, unless the program has asked for
 * another order (op2/order.h); with several processes the order depends on the partition, unless OP2_REPRODUCIBLE=1. */
typedef void (*op_reduce_fn)(void *into, const void *from, int dim);

/* A user-defined reduction for op_arg_gbl_reduce(). identity: one value of the type, copied, that changes no value when
 * it is combined with it. The library owns the handle. Not collective. Errors: OP_ERR_ARGUMENT, OP_ERR_TYPE. */
OP_API op_reduction op_decl_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                                      const void *identity);

/* A reduction declared with op_decl_reduction(), into data[dim]; the kernel combines into the value that it finds. */
OP_API op_arg op_arg_gbl_reduce(void *data, int dim, const char *type, op_reduction reduction);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
