/* kernel.h: the text of kernels, from which the library makes code for each loop.
 *
 * Most programs need none of this: op_par_loop records the kernel's name and source file, and the library reads them when the
 * program runs on the machine where it was built. A program that is moved elsewhere brings its text along (in CMake:
 * op2_embed_kernels), or gives it here. Without text the kernel runs as it was compiled. See docs/specialised_loops.md. */
#ifndef OP2_KERNEL_H
#define OP2_KERNEL_H

#include "op2/loop.h"

OP_BEGIN_DECLS

/* Say where the text of a kernel is. name: of the function in that text. kernel: its address, or NULL for every kernel that loops
 * call by this name. Either text, the program text with the function and all it needs, or file, the path of a file with it; the
 * other is NULL. Copied; replaces what was said before for the same kernel and name. Loops that have run keep their code. Before
 * op_init() or after it, not collective. Errors: OP_ERR_ARGUMENT. */
OP_API op_status op_kernel_source(op_kernel_fn kernel, const char *name, const char *file, const char *text);

/* Give the text of a source file, so that it need not be there when the program runs. file: as __FILE__ in the program. Both are
 * copied. Before op_init() or after it, not collective. Errors: OP_ERR_ARGUMENT. */
OP_API op_status op_source_text(const char *file, const char *text);

OP_END_DECLS

#endif
