// op_profile_c.h: includes op_profile.h; in OP2 this header has the C functions of the timer.
#ifndef OP2_COMPAT_OP_PROFILE_C_H
#define OP2_COMPAT_OP_PROFILE_C_H

#include "op2/compat/op_profile.h"

#endif

/* SPDX-License-Identifier: MIT */
