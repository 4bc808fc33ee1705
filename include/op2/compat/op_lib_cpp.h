// op_lib_cpp.h: OP2's declarations and arguments that take their types from their parameters.
#ifndef OP2_COMPAT_OP_LIB_CPP_H
#define OP2_COMPAT_OP_LIB_CPP_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include "op2/compat/op_lib_c.h"

#include "op2/compat/cpp/type_error.hpp"
// User types: a file of the program declares them, and an `int type_error(const type *, const char *)` for each.
#ifdef OP_USER_DATATYPES
#include <op_user_datatypes.h>
#endif
#include "op2/compat/cpp/declare.hpp"
#if __cplusplus >= 201703L
#include "op2/compat/cpp/args.hpp"
#else
#include "op2/compat/cpp/args_11.hpp"
#endif

#endif

/* SPDX-License-Identifier: MIT */
