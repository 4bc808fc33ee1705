/* fortran_support.h: functions for layers above the library, such as the Fortran modules.
 *
 * Programs in C and C++ need none of this. A layer that knows only the size of a type also takes user_types.h. */
#ifndef OP2_FORTRAN_SUPPORT_H
#define OP2_FORTRAN_SUPPORT_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Variants that write the argument to *arg, for languages that cannot receive structs by value. opt: as in
 * op_opt_arg_dat(). type_size: bytes of one value of a user type, as in op_arg_gbl_char() and op_arg_payload_char(); 0
 * for built-in types. Errors: OP_ERR_ARGUMENT (arg is NULL). */
OP_API void op_arg_dat_to(op_arg *arg, int opt, op_dat dat, int idx, op_map map, int dim, const char *type,
                          op_access acc);
OP_API void op_arg_gbl_to(op_arg *arg, void *data, int dim, const char *type, int type_size, op_access acc);
OP_API void op_arg_gbl_reduce_to(op_arg *arg, void *data, int dim, const char *type, op_reduction reduction);
OP_API void op_arg_idx_to(op_arg *arg, int idx, op_map map);
/* As op_arg_idx_to(), with numbers that begin at `base`, 0 or 1: for kernels in languages that count from 1. The loop
 * refuses other values. */
OP_API void op_arg_idx_based_to(op_arg *arg, int idx, op_map map, int base);
/* As op_arg_stop(), with numbers that begin at `base`, 0 or 1; base - 1: no element said stop. The loop refuses other
 * values. */
OP_API void op_arg_stop_to(op_arg *arg, op_gindex *number, int base);
OP_API void op_arg_payload_to(op_arg *arg, void *data, int dim, const char *type, int type_size, int ref);

/* The same for the arguments of global.h. */
OP_API void op_arg_global_to(op_arg *arg, op_global global, int dim, const char *type, op_access acc);
OP_API void op_arg_global_reduce_to(op_arg *arg, op_global global, int dim, const char *type, op_reduction reduction);
OP_API void op_arg_global_payload_to(op_arg *arg, op_global global, int dim, const char *type, int ref);

/* Report an error that a layer above the library has found (e.g. a binding to another language) as an error of the
 * library: the library calls the handler with it, and the default handler ends all processes. call: the function of
 * that layer; message: as in op_error. The library copies both; NULL counts as "". code: one of OP_ERR_...; any other
 * value becomes OP_ERR_INTERNAL. Returns the code. Not collective. */
OP_API op_status op_raise(op_status code, const char *call, const char *message);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
