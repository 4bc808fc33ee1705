// global.hpp: values of the library that loops reduce into and read.
//
//   const op2::global<double> rms("rms");
//   rms.put(0);
//   op_par_loop(update, "update", cells, ..., op2::gbl_inc(rms));
//   const double sum = rms.fetch();
#ifndef OP2_CPP_GLOBAL_HPP
#define OP2_CPP_GLOBAL_HPP

#include <array>
#include <type_traits>

#include "op2/cpp/arg.hpp"
#include "op2/cpp/constant.hpp"
#include "op2/cpp/error.hpp"
#include "op2/cpp/type_name.hpp"
#include "op2/global.h"

namespace op2 {

// `Dim` values of type T. A loop that reduces into them need not be done when its call returns, so it does not end a
// chain. The object holds a handle: it is cheap to copy; the library owns the values until op_exit().
template <class T, int Dim = 1>
class global {
  static_assert(Dim >= 1, "op2::global<T, Dim>: Dim is the number of values");
  static_assert(std::is_trivially_copyable_v<T>, "op2::global: the values must be copyable bytewise");

 public:
  using value_type = T;                                                    // type of one value
  using values_type = std::conditional_t<Dim == 1, T, std::array<T, Dim>>; // T, or all of them

  global() = default;

  // name: for messages. Not collective. Errors: as op_decl_global().
  explicit global(const char *name, const values_type &first = {}) {
    const void *bytes = &first;
    if constexpr (type_name<T>::builtin)
      handle_ = check(op_decl_global(Dim, type_name<T>::value, bytes, name));
    else
      handle_ = check(op_decl_global_char(Dim, type_name<T>::value, static_cast<int>(sizeof(T)),
                                          static_cast<const char *>(bytes), name));
  }

  // The handle, for functions of op2.h.
  operator op_global() const noexcept { return handle_; }

  // Gives them values for the loops that are called from now on. Not collective. Errors: as op_put_global().
  void put(const values_type &values) const { check(op_put_global(handle_, &values)); }

  // Their values after all loops called so far, which run at the latest now. Collective. Errors: as op_fetch_global().
  [[nodiscard]] values_type fetch() const {
    values_type out{};
    check(op_fetch_global(handle_, &out));
    return out;
  }

 private:
  op_global handle_ = nullptr;
};

// Arguments of loops, as those for variables of the program in make_arg.hpp.
#define OP2_GLOBAL_ARGS(name, access)                                       \
  template <class T, int Dim>                                               \
  auto name(const global<T, Dim> &values) {                                 \
    using made = detail::made_arg<detail::gbl_arg<T, Dim, access>>;         \
    return made((op_arg_global)(values, Dim, type_name<T>::value, access)); \
  }                                                                         \
  static_assert(access >= OP_READ)
OP2_GLOBAL_ARGS(gbl_read, OP_READ);
OP2_GLOBAL_ARGS(gbl_inc, OP_INC);
OP2_GLOBAL_ARGS(gbl_min, OP_MIN);
OP2_GLOBAL_ARGS(gbl_max, OP_MAX);
#undef OP2_GLOBAL_ARGS

// The same with a user-defined operation.
template <class T, int Dim>
auto gbl_reduce(const global<T, Dim> &values, const reduction<T> &operation) {
  return detail::gbl_arg<T, Dim, OP_REDUCE>((op_arg_global_reduce)(values, Dim, type_name<T>::value, operation));
}

// Payload of the gbl_min or gbl_max argument at position `ref` (from 0) of the same loop, see op_arg_payload().
template <class T, int Dim>
auto payload(const global<T, Dim> &values, int ref) {
  return detail::payload_arg<T, Dim>((op_arg_global_payload)(values, Dim, type_name<T>::value, ref));
}

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
