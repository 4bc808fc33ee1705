// op_lib_c.h: OP2's functions with C linkage, for programs that were written for it.
#ifndef OP2_COMPAT_OP_LIB_C_H
#define OP2_COMPAT_OP_LIB_C_H

#include "op2/compat/op_lib_core.h"

#include "op2/compat/cpp/gone.hpp"
#include "op2/compat/cpp/hand_loop.hpp"
#include "op2/compat/cpp/lists.hpp"
#include "op2/compat/cpp/memory.hpp"
#include "op2/compat/cpp/original.hpp"
#include "op2/compat/cpp/output.hpp"

#endif

#include "op2/compat/op_hdf5.h"
#include "op2/compat/op_rt_support.h"

/* SPDX-License-Identifier: MIT */
