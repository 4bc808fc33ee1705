// op_seq.h: the header that OP2's programs include: OP2's whole interface for C++, on every back end of the library.
// From C++17 on, the compiler inlines kernels into their loops. Before C++17, or if the program defines
// OP2_ELEMENT_LOOPS before the include, loops call kernels through pointers.
#ifndef OP2_COMPAT_OP_SEQ_H
#define OP2_COMPAT_OP_SEQ_H

#include "op2/compat/op_lib_cpp.h"

// Access to components of a dat in OP2 kernels for several layouts. Here the components have unit stride.
#define OP2_STRIDE(array, index) (array)[index]
__attribute__((unused)) static int op2_stride = 1;

#if __cplusplus >= 201703L && !defined(OP2_ELEMENT_LOOPS)
#include "op2/compat/cpp/loop.hpp"
#else
#include "op2/compat/cpp/loop_11.hpp"
#endif

#endif

/* SPDX-License-Identifier: MIT */
