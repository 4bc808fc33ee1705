/* global.h: values of the library that loops reduce into and read.
 *
 *   op_global rms = op_decl_global(1, "double", NULL, "rms");
 *   op_put_global(rms, &zero);
 *   op_par_loop(update, "update", cells, ..., op_arg_global(rms, 1, "double", OP_INC));
 *   op_fetch_global(rms, &value);
 *
 * A loop that reduces into a variable of the program (op_arg_gbl()) must be done when its call returns, and ends a chain
 * (op2/chain.h). One that reduces into an op_global may run later: op_fetch_global() waits for it. */
#ifndef OP2_GLOBAL_H
#define OP2_GLOBAL_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Declare a global of `dim` values of `type`, the same on every process. value[dim]: the first values, copied; NULL =
 * zeros. name: for messages. The library owns the handle. Not collective, but every process that calls loops with it
 * declares it. Errors (NULL is returned): OP_ERR_ARGUMENT (no name), OP_ERR_DIM, OP_ERR_TYPE. */
OP_API op_global op_decl_global(int dim, const char *type, const void *value, const char *name);

/* Give the global the values value[dim], copied, for the loops that are called from now on; those that were called
 * before keep what they read and add to. Runs nothing that is recorded. Not collective; every process passes the same
 * values. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (NULL). */
OP_API op_status op_put_global(op_global global, const void *value);

/* Copy the values to value[dim], with what all loops called so far have reduced into them on all processes. Runs the
 * loops that are recorded. Collective. Errors: OP_ERR_HANDLE, OP_ERR_ARGUMENT (NULL), those of op_par_loop(). */
OP_API op_status op_fetch_global(op_global global, void *value);

/* What was declared: the number of values, their type, the name. -1 or NULL on error; the texts belong to the library. Not
 * collective. Errors: OP_ERR_HANDLE. */
OP_API int op_global_dim(op_global global);
OP_API const char *op_global_type(op_global global);
OP_API const char *op_global_name(op_global global);

/* Arguments of loops, as op_arg_gbl(), op_arg_gbl_reduce() and op_arg_payload() with the values of a global in place of
 * a variable of the program. dim and type repeat those of the global; the loop compares them. Reductions may run later.
 * OP_READ of a global that a recorded loop reduces into runs what is recorded; OP_WRITE, OP_RW and OP_WORK run the loop
 * at once. Not collective. */
OP_API op_arg op_arg_global(op_global global, int dim, const char *type, op_access acc);
OP_API op_arg op_arg_global_reduce(op_global global, int dim, const char *type, op_reduction reduction);
OP_API op_arg op_arg_global_payload(op_global global, int dim, const char *type, int ref);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
