// args_11.hpp: OP2's arguments before C++17.
#ifndef OP2_COMPAT_CPP_ARGS_11_HPP
#define OP2_COMPAT_CPP_ARGS_11_HPP

namespace op2 {
namespace compat {

template <class T>
char *variable(const T *data) {
  return static_cast<char *>(const_cast<void *>(static_cast<const void *>(data)));
}

} // namespace compat
} // namespace op2

// A variable of the program; NULL switches the argument off.
template <class T>
op_arg op_opt_arg_gbl(int opt, T *data, int dim, const char *type, op_access access) {
  op_arg out = op_arg_gbl_char(::op2::compat::variable(data), dim, type, static_cast<int>(sizeof(T)), access);
  if (opt == 0 || data == NULL) out.opt = 0;
  return out;
}
template <class T>
op_arg op_arg_gbl(T *data, int dim, const char *type, op_access access) {
  return op_opt_arg_gbl(1, data, dim, type, access);
}

template <class T>
op_arg op_arg_payload(T *data, int dim, const char *type, int ref) {
  return op_arg_info_char(::op2::compat::variable(data), dim, type, static_cast<int>(sizeof(T)), ref);
}

#endif

// SPDX-License-Identifier: MIT
