// op_seq.h: what programs that were written for OP2 include: all of its interface for C++, on every back end of the
// library. From C++17 on, kernels are inlined into their loops; older programs call them through pointers, and so does
// a program that defines OP2_ELEMENT_LOOPS before it includes this.
#ifndef OP2_COMPAT_OP_SEQ_H
#define OP2_COMPAT_OP_SEQ_H

#include "op2/compat/op_lib_cpp.h"

// Components of a dat as kernels of OP2 for several layouts reach them. Rows are contiguous here.
#define OP2_STRIDE(array, index) (array)[index]
__attribute__((unused)) static int op2_stride = 1;

#if __cplusplus >= 201703L && !defined(OP2_ELEMENT_LOOPS)
#include "op2/compat/cpp/loop.hpp"
#else
#include "op2/compat/cpp/loop_11.hpp"
#endif

#endif
