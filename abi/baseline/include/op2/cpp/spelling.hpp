// spelling.hpp: OP2's own notation of loop arguments, with the facts that it contains.
//
//   op_arg_dat(x, 0, edge_nodes, 2, "double", OP_READ)
//
// becomes an op2::arg with idx 0, dim 2 and OP_READ in its type if these are constants for the compiler. Other
// expressions count as unknown; the range function reads them at run time. Handles may be op_dat and op_map or op2::dat
// and op2::map. Parentheses call the C functions: (op_arg_dat)(...).
#ifndef OP2_CPP_SPELLING_HPP
#define OP2_CPP_SPELLING_HPP

#include "op2/cpp/global.hpp"
#include "op2/cpp/make_arg.hpp"

namespace op2::detail {

template <int Dim, int Idx, int Access>
auto spelled_dat(op_dat d, int idx, op_map map, int dim, const char *type, op_access access) {
  return dat_arg<void, Idx, Dim, Access>((op_arg_dat)(d, idx, map, dim, type, access));
}
template <int Dim, int Idx, int Access, class T, int D>
auto spelled_dat(const dat<T, D> &d, int idx, op_map map, int dim, const char *type, op_access access) {
  return dat_arg<T, Idx, Dim, Access>((op_arg_dat)(d, idx, map, dim, type, access));
}

template <int Dim, int Idx, int Access>
auto spelled_opt_dat(int on, op_dat d, int idx, op_map map, int dim, const char *type, op_access access) {
  return dat_arg<void, Idx, Dim, Access, true>((op_opt_arg_dat)(on, d, idx, map, dim, type, access));
}
template <int Dim, int Idx, int Access, class T, int D>
auto spelled_opt_dat(int on, const dat<T, D> &d, int idx, op_map map, int dim, const char *type, op_access access) {
  return dat_arg<T, Idx, Dim, Access, true>((op_opt_arg_dat)(on, d, idx, map, dim, type, access));
}

// Type of a variable as a fact: void and char do not determine the type of the values.
template <class T>
using spoken_type =
    std::conditional_t<std::is_void_v<T> || std::is_same_v<std::remove_cv_t<T>, char>, void, std::remove_cv_t<T>>;

// Whether the library knows the size of T from its name; user types need no type_name in this notation.
template <class T, class = void>
inline constexpr bool names_its_size = std::is_void_v<T> || std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool names_its_size<T, std::void_t<decltype(type_name<T>::builtin)>> = type_name<T>::builtin;

template <int Dim, int Access, class T>
auto spelled_gbl(T *data, int dim, const char *type, op_access access) {
  using value = spoken_type<T>;
  void *const variable = const_cast<std::remove_cv_t<T> *>(data);
  if constexpr (names_its_size<value>) {
    gbl_arg<value, Dim, Access> out((op_arg_gbl)(variable, dim, type, access));
    if constexpr (!std::is_void_v<value>)
      out.size = dim * static_cast<int>(sizeof(value)); // the loop compares it with the size of the named type
    return out;
  } else {
    return gbl_arg<value, Dim, Access>(
        (op_arg_gbl_char)(static_cast<char *>(variable), dim, type, static_cast<int>(sizeof(value)), access));
  }
}

template <int Dim, class T>
auto spelled_payload(T *data, int dim, const char *type, int ref) {
  using value = spoken_type<T>;
  void *const variable = data;
  if constexpr (names_its_size<value>) {
    payload_arg<value, Dim> out((op_arg_payload)(variable, dim, type, ref));
    if constexpr (!std::is_void_v<value>)
      out.size = dim * static_cast<int>(sizeof(value)); // the loop compares it with the size of the named type
    return out;
  } else {
    return payload_arg<value, Dim>(
        (op_arg_payload_char)(static_cast<char *>(variable), dim, type, static_cast<int>(sizeof(value)), ref));
  }
}

template <int Dim, int Access>
auto spelled_global(op_global values, int dim, const char *type, op_access access) {
  return gbl_arg<void, Dim, Access>((op_arg_global)(values, dim, type, access));
}
template <int Dim, int Access, class T, int D>
auto spelled_global(const global<T, D> &values, int dim, const char *type, op_access access) {
  return gbl_arg<T, Dim, Access>((op_arg_global)(values, dim, type, access));
}

template <int Dim>
auto spelled_global_payload(op_global values, int dim, const char *type, int ref) {
  return payload_arg<void, Dim>((op_arg_global_payload)(values, dim, type, ref));
}
template <int Dim, class T, int D>
auto spelled_global_payload(const global<T, D> &values, int dim, const char *type, int ref) {
  return payload_arg<T, Dim>((op_arg_global_payload)(values, dim, type, ref));
}

template <int Idx>
auto spelled_idx(int idx, op_map map) {
  return idx_arg<Idx>((op_arg_idx)(idx, map));
}

} // namespace op2::detail

// The value of an expression if it is a constant for the compiler, otherwise op2::unknown.
#define OP2_LITERAL(x) (__builtin_constant_p(x) ? static_cast<int>(x) : ::op2::unknown)

// The functions of loop.h and global.h; they put constants into the type of the result.
#define op_arg_dat(dat, idx, map, dim, type, acc) \
  (::op2::detail::spelled_dat<OP2_LITERAL(dim), OP2_LITERAL(idx), OP2_LITERAL(acc)>(dat, idx, map, dim, type, acc))
#define op_opt_arg_dat(opt, dat, idx, map, dim, type, acc)                                                             \
  (::op2::detail::spelled_opt_dat<OP2_LITERAL(dim), OP2_LITERAL(idx), OP2_LITERAL(acc)>(opt, dat, idx, map, dim, type, \
                                                                                        acc))
#define op_arg_gbl(data, dim, type, acc) \
  (::op2::detail::spelled_gbl<OP2_LITERAL(dim), OP2_LITERAL(acc)>(data, dim, type, acc))
#define op_arg_global(global, dim, type, acc) \
  (::op2::detail::spelled_global<OP2_LITERAL(dim), OP2_LITERAL(acc)>(global, dim, type, acc))
#define op_arg_global_payload(global, dim, type, ref) \
  (::op2::detail::spelled_global_payload<OP2_LITERAL(dim)>(global, dim, type, ref))
#define op_arg_idx(idx, map) (::op2::detail::spelled_idx<OP2_LITERAL(idx)>(idx, map))
#define op_arg_payload(data, dim, type, ref) (::op2::detail::spelled_payload<OP2_LITERAL(dim)>(data, dim, type, ref))

#endif

// SPDX-License-Identifier: MIT
