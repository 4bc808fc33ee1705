// op_rt_support.h: functions that OP2's hand-written loops use in addition to those of op2/hand_loop.h.
#ifndef OP2_COMPAT_OP_RT_SUPPORT_H
#define OP2_COMPAT_OP_RT_SUPPORT_H

#include "op2/compat/op_lib_core.h"

// Number of elements of the set of the argument with all copies, rounded up to 32: the stride of OP2's SoA layout.
inline int getSetSizeFromOpArg(op_arg *arg) {
  if (arg->dat == NULL) return 0;
  const op_set set = arg->dat->set;
  return (set->size + set->exec_size + set->nonexec_size + 31) / 32 * 32;
}

// 1 if two names mean the same type, with ":soa" or without, in the notation of C or of Fortran.
inline int op_type_equivalence(const char *a, const char *b) {
  const char *const same[3][8] = {{"double", "double:soa", "real(8)", "real*8", "r8", "double precision", NULL, NULL},
                                  {"float", "float:soa", "real(4)", "real*4", "r4", "real", NULL, NULL},
                                  {"int", "int:soa", "integer(4)", "integer*4", "i4", "integer", NULL, NULL}};
  if (strcmp(a, b) == 0) return 1;
  for (int k = 0; k < 3; ++k) {
    bool first = false, second = false;
    for (int i = 0; same[k][i] != NULL; ++i) {
      first = first || strcmp(a, same[k][i]) == 0;
      second = second || strcmp(b, same[k][i]) == 0;
    }
    if (first && second) return 1;
  }
  return 0;
}

#endif

/* SPDX-License-Identifier: MIT */
