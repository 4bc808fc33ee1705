// args.hpp: OP2's arguments for C++17: those of op2.hpp, and uses of them that occur only in OP2's programs.
#ifndef OP2_COMPAT_CPP_ARGS_HPP
#define OP2_COMPAT_CPP_ARGS_HPP

namespace op2::compat {

// A NULL variable switches the argument off.
template <int Dim, int Access, class T>
auto global(T *data, int dim, const char *type, op_access access) {
  auto out = detail::spelled_gbl<Dim, Access>(data, dim, type, access);
  if (data == nullptr) out.opt = 0;
  return out;
}

template <int Dim, int Access, class T>
auto optional_global(int on, T *data, int dim, const char *type, op_access access) {
  return opt(on != 0, global<Dim, Access>(data, dim, type, access));
}

} // namespace op2::compat

#undef op_arg_gbl
#define op_arg_gbl(data, dim, type, acc) \
  (::op2::compat::global<OP2_LITERAL(dim), OP2_LITERAL(acc)>(data, dim, type, acc))
#define op_opt_arg_gbl(opt, data, dim, type, acc) \
  (::op2::compat::optional_global<OP2_LITERAL(dim), OP2_LITERAL(acc)>(opt, data, dim, type, acc))

#endif

// SPDX-License-Identifier: MIT
