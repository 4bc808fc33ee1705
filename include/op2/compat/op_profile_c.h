// op_profile_c.h: op_profile.h; OP2 has its functions of C in a header of their own.
#ifndef OP2_COMPAT_OP_PROFILE_C_H
#define OP2_COMPAT_OP_PROFILE_C_H

#include "op2/compat/op_profile.h"

#endif
