/* kernel.h: the source text of kernels, from which the library generates code for each loop.
 *
 * Most programs need none of this: their compiler keeps the text in the program (OP_UNIT_TEXT in loop.h).
 * A program that another compiler has made passes the text to the function here. Without the text the library
 * runs the kernel as the program's compiler made it. See docs/specialised_loops.md. */
#ifndef OP2_KERNEL_H
#define OP2_KERNEL_H

#include "op2/loop.h"

OP_BEGIN_DECLS

/* Give the library the text of a kernel. name: name of the function in that text. kernel: address of the kernel, or
 * NULL for every kernel that loops call by this name. text: C++ with the function and everything it needs, as the
 * preprocessor leaves it: without macros and conditions, and with no other lines of the preprocessor than
 * #include <...> and #pragma. The library copies the strings. A later call for the same kernel and name replaces an
 * earlier one; loops that have run keep their code. Callable before and after op_init(). Not collective. Errors:
 * OP_ERR_ARGUMENT. */
OP_API op_status op_kernel_source(op_kernel_fn kernel, const char *name, const char *text);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
