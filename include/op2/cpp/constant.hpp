// constant.hpp: constants and user-defined reductions.
#ifndef OP2_CPP_CONSTANT_HPP
#define OP2_CPP_CONSTANT_HPP

#include <array>
#include <cstddef>
#include <type_traits>

#include "op2/cpp/error.hpp"
#include "op2/cpp/kernel.hpp"
#include "op2/cpp/type_name.hpp"
#include "op2/decl.h"
#include "op2/reduction.h"
#include "op2/user_types.h"

namespace op2 {

// Tells the library the values of a constant that kernels read under `name`: values[dim], copied. They are the variable
// itself: a second call for it replaces the values, one for another variable of that name is another constant. Not
// collective. Errors: as op_decl_const_named().
template <class T>
void constant(const char *name, const T *values, int dim) {
  static_assert(std::is_trivially_copyable_v<T>, "op2::constant: the values must be copyable bytewise");
  if constexpr (type_name<T>::builtin) {
    check(op_decl_const_named(name, dim, type_name<T>::value, values));
  } else {
    const void *bytes = values;
    check(op_decl_const_char(dim, type_name<T>::value, static_cast<int>(sizeof(T)), static_cast<const char *>(bytes),
                             name));
  }
}
template <class T>
void constant(const char *name, const T &value) {
  constant(name, &value, 1);
}
template <class T, std::size_t N>
void constant(const char *name, const T (&values)[N]) {
  constant(name, &values[0], static_cast<int>(N));
}
template <class T, std::size_t N>
void constant(const char *name, const std::array<T, N> &values) {
  constant(name, values.data(), static_cast<int>(N));
}

// A user-defined operation for op2::gbl_reduce(). The object holds a handle, which the library owns.
//
//   op2::reduction<int> gcd("gcd", [](int &into, const int &from) { into = std::gcd(into, from); }, 0);
template <class T>
class reduction {
 public:
  reduction() = default;

  // combine(T &into, const T &from) has no captures; the library calls it once per component: into = into (+) from. The
  // operation must be associative up to rounding. identity, copied, changes no value that it is combined with.
  // Errors: as op_decl_reduction().
  template <class Combine, std::enable_if_t<std::is_invocable_v<const Combine &, T &, const T &>, int> = 0>
  reduction(const char *name, const Combine &combine, const T &identity) : reduction(name, &each<Combine>, identity) {
    static_assert(std::is_empty_v<Combine>, "op2::reduction: combine must not capture anything");
    detail::stateless<Combine>::remember(combine);
  }

  // As above, with a function of the type that the library uses.
  reduction(const char *name, op_reduce_fn combine, const T &identity)
      : handle_(check(op_decl_reduction(name, type_name<T>::value, static_cast<int>(sizeof(T)), combine, &identity))) {
    static_assert(std::is_trivially_copyable_v<T>, "op2::reduction: the values must be copyable bytewise");
  }

  // The handle, for functions of op2.h.
  operator op_reduction() const noexcept { return handle_; }

 private:
  template <class Combine>
  static void each(void *into, const void *from, int dim) {
    const auto &combine = *detail::stateless<Combine>::object;
    for (int i = 0; i < dim; ++i) combine(static_cast<T *>(into)[i], static_cast<const T *>(from)[i]);
  }

  op_reduction handle_ = nullptr;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
