/* kernel.h: the source text of kernels, from which the library generates code for each loop.
 *
 * Most programs need none of these functions: their compiler keeps the text in the program (OP_UNIT_TEXT in loop.h).
 * A program that another compiler has made passes the text to the functions here. Without the text the library
 * runs the kernel as the program's compiler made it. See docs/specialised_loops.md. */
#ifndef OP2_KERNEL_H
#define OP2_KERNEL_H

#include "op2/loop.h"

OP_BEGIN_DECLS

/* Tell the library where the text of a kernel is. name: name of the function in that text. kernel: address of the
 * kernel, or NULL for every kernel that loops call by this name. The caller gives exactly one of text (program text
 * with the function and everything it needs) and file (path of a file with such a text); the other is NULL. The library
 * copies the strings. A later call for the same kernel and name replaces an earlier one; loops that have run keep their
 * code. Callable before and after op_init(). Not collective. Errors: OP_ERR_ARGUMENT. */
OP_API op_status op_kernel_source(op_kernel_fn kernel, const char *name, const char *file, const char *text);

/* Give the library the text of a source file, for loops of units that do not carry their own. file: as __FILE__
 * in the program. The library copies both strings. Callable before and after op_init(). Not collective. Errors:
 * OP_ERR_ARGUMENT. */
OP_API op_status op_source_text(const char *file, const char *text);

OP_END_DECLS

#endif
