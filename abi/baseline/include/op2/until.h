/* until.h: loops that stop early.
 *
 *   op_gindex hot;
 *   op_par_loop_until(find_hot, "find_hot", cells,
 *                     op_arg_dat(t, -1, OP_ID, 1, "double", OP_READ),
 *                     op_arg_stop(&hot));
 *
 * calls `void find_hot(const double *t, int *stop)` for the elements of `cells`. A kernel that sets *stop to anything
 * but 0 says that its element is the last one. The result is, in bits, that of a loop of one process that runs the
 * elements in the order of their declaration and ends after the first one that says stop: rows, reduced variables and
 * the number `hot` of that element are the same on every executor and on any number of threads and processes. Bits of
 * sums are those of one addition for each element and argument. docs/until.md says how the elements run. */
#ifndef OP2_UNTIL_H
#define OP2_UNTIL_H

#include "op2/loop.h"

OP_BEGIN_DECLS

/* The argument by which the kernel says stop; a loop has one, at any position. The kernel receives an `int *` to a 0 of
 * its own. When op_par_loop_until() returns, *number is on every process the declared number (from 0) of the element
 * that stopped the loop, which is the last one that has run; -1: none said stop, and all elements have run. *number is
 * borrowed for the loop and keeps its value after an error. Not collective. */
OP_API op_arg op_arg_stop(op_gindex *number);

/* Run a kernel on the elements of a set up to the first, in the order of the declaration, that says stop. Collective.
 * What op_chain_begin() has recorded runs before. name and args[nargs] are borrowed for the call; one of the arguments
 * is an op_arg_stop().
 *
 * The library also calls the kernel for elements behind the one that stops, and drops what these have done: the kernel
 * changes nothing but its arguments. No element may read what an earlier one writes, so OP_RW through a map, and
 * globals with OP_WRITE, OP_RW or OP_WORK, are errors, unless the setting OP2_UNTIL is "ordered": then elements that
 * share rows run in order. A kernel that throws for an element behind the one that stops causes no error.
 *
 * Method: speculative execution with private copies, or post and wait; see docs/until.md for sources.
 * Errors: those of op_par_loop(); OP_ERR_ARGUMENT for no or several op_arg_stop(), OP_ERR_UNSUPPORTED for particles
 * and for arguments that need OP2_UNTIL=ordered, OP_ERR_CHECK from executor check if an element reads what an earlier
 * one has written. After an error of a kernel, the context is unusable if rows have changed. */
OP_API op_status op_par_loop_until(op_kernel_fn kernel, const char *name, op_set set, int nargs, const op_arg *args);

/* As op_par_loop_until(), with the kernel in *site: the general form, which the macros of C and C++ call. site->element
 * is not NULL. *site is borrowed for the call. */
OP_API op_status op_par_loop_until_site(op_loop_site *site, const char *name, op_set set, int nargs,
                                        const op_arg *args);

OP_END_DECLS

#ifndef __cplusplus
/* The macro of C: op_par_loop_until(kernel, name, set, arg, arg, ...) as a statement. (op_par_loop_until)(kernel, name,
 * set, nargs, args) calls the function of the same name. */
#define op_par_loop_until(kernel, name, set, ...)                                                                  \
  do {                                                                                                             \
    static op_loop_site op_site_ = OP_LOOP_SITE(NULL, NULL, #kernel);                                              \
    const op_arg op_args_[] = {__VA_ARGS__};                                                                       \
    op_site_.element = (op_kernel_fn)(kernel);                                                                     \
    (void)op_par_loop_until_site(&op_site_, (name), (set), (int)(sizeof op_args_ / sizeof op_args_[0]), op_args_); \
  } while (0)
#endif

#endif
/* SPDX-License-Identifier: MIT */
