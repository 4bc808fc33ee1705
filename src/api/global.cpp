// The door of global.h, and of its functions in fortran_support.h and user_types.h.
#include "op2/global.h"

#include <cstring>

#include "api/argument.hpp"
#include "op2/fortran_support.h"
#include "op2/user_types.h"

using namespace op2::core;

namespace {

op_arg of_global(op_arg_type argtype, op_global global, int dim, const char *type, op_access access) noexcept {
  op_arg arg = blank_argument(argtype, access);
  arg.dim = dim;
  arg.type = type;
  arg.global = global;
  const Session *const current = current_session();
  if (current && current->mesh && current->mesh->objects().knows_global(global)) { // else the loop will tell
    arg.data = global->data();
    arg.size = static_cast<int>(global->bytes());
  }
  return arg;
}

op_arg reduced(op_global global, int dim, const char *type, op_reduction reduction) noexcept {
  op_arg arg = of_global(OP_ARG_GBL, global, dim, type, OP_REDUCE);
  arg.reduction = reduction;
  return arg;
}

op_arg payload(op_global global, int dim, const char *type, int ref) noexcept {
  op_arg arg = of_global(OP_ARG_PAYLOAD, global, dim, type, OP_WRITE);
  arg.idx = ref;
  return arg;
}

op_global_core &need_global(op_global global) {
  return recording_session().mesh->objects().global(global, "the global");
}

} // namespace

op_global op_decl_global(int dim, const char *type, const void *value, const char *name) {
  return guarded_value<op_global>(
      "op_decl_global", nullptr, [&] { return recording_session().mesh->declare().global(dim, type, 0, value, name); });
}

op_global op_decl_global_char(int dim, const char *type, int type_size, const char *value, const char *name) {
  return guarded_value<op_global>("op_decl_global_char", nullptr, [&] {
    return recording_session().mesh->declare().global(dim, type, type_size, value, name);
  });
}

op_status op_put_global(op_global global, const void *value) {
  return guarded("op_put_global", [&] {
    op_global_core &object = need_global(global);
    if (!value) fail(OP_ERR_ARGUMENT, "the array of values for global '", object.name, "' is NULL");
    recording_session().engine->put(object, value);
  });
}

op_status op_fetch_global(op_global global, void *value) {
  return guarded("op_fetch_global", [&] {
    op_global_core &object = need_global(global);
    if (!value) fail(OP_ERR_ARGUMENT, "the array for the values of global '", object.name, "' is NULL");
    session(); // runs what is recorded
    std::memcpy(value, object.data(), object.bytes());
  });
}

int op_global_dim(op_global global) {
  return guarded_value("op_global_dim", -1, [&] { return need_global(global).dim; });
}

const char *op_global_type(op_global global) {
  return guarded_value<const char *>("op_global_type", nullptr,
                                     [&] { return need_global(global).element.name.c_str(); });
}

const char *op_global_name(op_global global) {
  return guarded_value<const char *>("op_global_name", nullptr, [&] { return need_global(global).name.c_str(); });
}

op_arg op_arg_global(op_global global, int dim, const char *type, op_access acc) {
  return of_global(OP_ARG_GBL, global, dim, type, acc);
}

op_arg op_arg_global_reduce(op_global global, int dim, const char *type, op_reduction reduction) {
  return reduced(global, dim, type, reduction);
}

op_arg op_arg_global_payload(op_global global, int dim, const char *type, int ref) {
  return payload(global, dim, type, ref);
}

void op_arg_global_to(op_arg *arg, op_global global, int dim, const char *type, op_access acc) {
  put_argument("op_arg_global_to", arg, of_global(OP_ARG_GBL, global, dim, type, acc));
}

void op_arg_global_reduce_to(op_arg *arg, op_global global, int dim, const char *type, op_reduction reduction) {
  put_argument("op_arg_global_reduce_to", arg, reduced(global, dim, type, reduction));
}

void op_arg_global_payload_to(op_arg *arg, op_global global, int dim, const char *type, int ref) {
  put_argument("op_arg_global_payload_to", arg, payload(global, dim, type, ref));
}

// SPDX-License-Identifier: MIT
