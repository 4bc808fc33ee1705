// Globals of the library as Fortran gives and receives them.
#include "glue.hpp"
#include "op2/fortran_support.h"
#include "op2/global.h"

namespace {

using namespace op2::fortran;

// Whether a variable of `count` values (-1: not known) of this type goes with the global.
bool fits_global(const char *call, op_global global, const char *type, long long count) {
  const int dim = op_global_dim(global); // reports what is no global
  if (dim < 1) return false;
  const std::string own = op_global_type(global), name = op_global_name(global);
  if (own != type) {
    raise(OP_ERR_TYPE, call, "global '" + name + "' has type " + own + ", the variable " + type);
    return false;
  }
  if (count < 0 || dim <= count) return true;
  raise(OP_ERR_DIM, call,
        "global '" + name + "' has " + std::to_string(dim) + " values, but the variable " + std::to_string(count));
  return false;
}

// The type that the argument says, where it is one that the library knows.
const char *type_of_global(op_global global, const char *type, int length) {
  const char *const known = type_name(type, static_cast<std::size_t>(length));
  const char *const own = known || !global ? nullptr : op_global_type(global);
  return known ? known : own ? own : "double";
}

} // namespace

extern "C" {

op_global op2f_decl_global(int dim, const char *type, const void *first, long long count, const char *name) {
  if (count >= 0 && dim > count) {
    raise(OP_ERR_DIM, "op_decl_global",
          std::string("'") + name + "' has dim " + std::to_string(dim) + ", but the array has " +
              std::to_string(count) + " values");
    return nullptr;
  }
  return op_decl_global(dim, type, first, name);
}

void op2f_put_global(op_global global, const char *type, const void *data, long long count) {
  if (fits_global("op_put_global", global, type, count)) op_put_global(global, data);
}

void op2f_fetch_global(op_global global, const char *type, void *data, long long count) {
  if (fits_global("op_fetch_global", global, type, count)) op_fetch_global(global, data);
}

void op2f_arg_global(op_arg *arg, op_global global, int dim, const char *type, int length, int access) {
  op_arg_global_to(arg, global, dim, type_of_global(global, type, length), access >= 1 ? access - 1 : -1);
}

void op2f_arg_global_info(op_arg *arg, op_global global, int dim, const char *type, int length, int ref) {
  op_arg_global_payload_to(arg, global, dim, type_of_global(global, type, length), ref - 1);
}

} // extern "C"

// SPDX-License-Identifier: MIT
