// What the functions that make arguments of loops share.
#pragma once

#include "api/guard.hpp"
#include "op2/types.h"

namespace op2::core {

inline op_arg blank_argument(op_arg_type argtype, op_access access) {
  op_arg arg{};
  arg.index = -1;
  arg.idx = -1;
  arg.opt = 1;
  arg.argtype = argtype;
  arg.acc = access;
  return arg;
}

// For the twins that write to *arg.
inline void put_argument(const char *call, op_arg *arg, const op_arg &value) {
  guarded(call, [&] {
    if (!arg) fail(OP_ERR_ARGUMENT, "the address for the argument is NULL; pass that of an op_arg");
    *arg = value;
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
