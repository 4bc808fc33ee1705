// op_timing2.h: the functions of op_profile.h under their older OP2 names.
#ifndef OP2_COMPAT_OP_TIMING2_H
#define OP2_COMPAT_OP_TIMING2_H

#include "op2/compat/op_profile.h"

inline void op_timing2_start(const char *name) { op_profile_start(name); }
inline void op_timing2_enter(const char *name) { op_profile_enter(name); }
inline void op_timing2_enter_kernel(const char *name, const char *target, const char *variant) {
  op_profile_enter_kernel(name, target, variant);
}
inline void op_timing2_next(const char *name) { op_profile_next(name); }
inline void op_timing2_exit() { op_profile_exit(); }
inline void op_timing2_finish() { op_profile_end(); }
inline void op_timing2_output() { op_profile_output(); }
inline void op_timing2_output_json(const char *file) { op_profile_output_json(file); }

#endif

/* SPDX-License-Identifier: MIT */
