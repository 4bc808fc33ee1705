// kernel.hpp: the parameters of a kernel as types, and calls of it without a pointer.
#ifndef OP2_CPP_KERNEL_HPP
#define OP2_CPP_KERNEL_HPP

#include <optional>
#include <type_traits>

#include "op2/cpp/arg.hpp"

// Force inlining: of the function itself; and with _ALL also of everything that it calls.
#define OP2_INLINE __attribute__((always_inline))
#define OP2_INLINE_ALL __attribute__((always_inline, flatten))

namespace op2::detail {

template <class... T>
struct types {};

template <class T>
struct type {
  using is = T;
};

// The parameters of functions, pointers to functions and classes with one operator().
template <class F, class = void>
struct signature {
  static constexpr bool known = false;
};
template <class... P>
struct signature<void(P...)> {
  static constexpr bool known = true;
  using parameters = types<P...>;
};
template <class... P>
struct signature<void(P...) noexcept> : signature<void(P...)> {};
template <class F>
struct signature<F *> : signature<F> {};
template <class C, class... P>
struct signature<void (C::*)(P...) const> : signature<void(P...)> {};
template <class C, class... P>
struct signature<void (C::*)(P...) const noexcept> : signature<void(P...)> {};
template <class F>
struct signature<F, std::void_t<decltype(&F::operator())>> : signature<decltype(&F::operator())> {};

// The parameter type that follows from an argument, for a kernel with auto parameters.
template <class A>
struct deduced_parameter {
  using value = typename A::value_type;
  static_assert(!std::is_void_v<value>,
                "op_par_loop: a kernel with auto parameters needs arguments of known type (op2::dat, not op_dat)");
  using row = std::conditional_t<A::access == OP_READ, const value *, value *>;
  using is = std::conditional_t<A::kind == OP_RANGE_VECTOR, row const *, row>;
};

// The parameters of kernel F in a loop with arguments A: those of F, or those that follow from the arguments.
template <class F, class... A>
constexpr auto parameters_of() {
  using S = signature<F>;
  static_assert(S::known || std::is_class_v<F>, "op_par_loop: a kernel is a function that returns void");
  if constexpr (S::known) {
    return type<typename S::parameters>();
  } else {
    return type<types<typename deduced_parameter<A>::is...>>();
  }
}

// An object of a class without state. All such objects are equal, so one serves every call. A copy is necessary because
// C++17 cannot construct a closure from its type alone.
template <class F>
struct stateless {
  static_assert(std::is_empty_v<F>, "the objects kept here have no state");
  static inline std::optional<F> object;

  static void remember(const F &f) {
    static const bool once = (object.emplace(f), true);
    (void)once;
  }
};

// Two ways to call, for element n, a kernel that the program text determines, with everything inlined. They pass row
// objects on, not pointers: a compiler that sees pointers as parameters may load through them early, which prevents its
// own vectorisation.
//
// Through the closure that the macro op_par_loop makes around the kernel's name:
template <class Closure>
struct named_kernel {
  template <class... Row>
  OP2_INLINE_ALL static void call(int n, Row &...row) {
    (*stateless<Closure>::object)(n, row...);
  }
};
// Through an object without state, such as a lambda without captures:
template <class F>
struct object_kernel {
  template <class... Row>
  OP2_INLINE_ALL static void call(int n, Row &...row) {
    (*stateless<F>::object)(row.at(n)...);
  }
};

// A function that calls the object, for use through a pointer.
template <class F, class P>
struct element_of;
template <class F, class... P>
struct element_of<F, types<P...>> {
  static void call(P... p) { (*stateless<F>::object)(p...); }
};

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
