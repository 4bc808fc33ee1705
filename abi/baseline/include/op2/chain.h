/* chain.h: loops that run together.
 *
 *   op_chain_begin("step");
 *   op_par_loop(...);
 *   op_par_loop(...);
 *   op_chain_end();
 *
 * Between the two calls loops are checked and recorded. The library runs them at op_chain_end() or at the first call
 * before it that sees data, in an order that keeps rows in the caches from one loop to the next, with the results of
 * loop after loop. See docs/chains.md. */
#ifndef OP2_CHAIN_H
#define OP2_CHAIN_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Open a chain. name: for messages; borrowed for the call; must not be NULL. Loops until the matching op_chain_end()
 * may run later than they are called: constants and variables with OP_READ count as they are at the call, and a loop
 * that changes a variable of the program (a reduction) runs at once, together with those before it. Kernels must not
 * read or change other variables of the program that change meanwhile. Every other call of the library runs what is
 * recorded first, unless it only makes arguments or asks what was declared (op_get_size(), op_dat_dim() and their
 * like). Chains may be nested; the outermost one counts. A failure of a recorded loop is reported by the call that runs
 * it, with the loop's name and place. With several processes all of them open and close the same chains, and every call
 * between the two that runs what is recorded is collective, whatever it is otherwise. Errors: OP_ERR_ARGUMENT (NULL),
 * OP_ERR_STATE. */
OP_API op_status op_chain_begin(const char *name);

/* Close the chain that was opened last, and run what is recorded if it was the outermost one. Collective. Errors:
 * OP_ERR_STATE (none is open), those of op_par_loop(). */
OP_API op_status op_chain_end(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
