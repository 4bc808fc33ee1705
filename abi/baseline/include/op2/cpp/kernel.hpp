// kernel.hpp: what the compiler knows about a kernel: its parameters, and how to call it without a pointer.
#ifndef OP2_CPP_KERNEL_HPP
#define OP2_CPP_KERNEL_HPP

#include <optional>
#include <type_traits>

#include "op2/cpp/arg.hpp"

// Inline, whatever the optimiser thinks: the function itself; and everything that it calls, too.
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

// The parameter of a kernel with auto parameters that an argument leads to.
template <class A>
struct deduced_parameter {
  using value = typename A::value_type;
  static_assert(!std::is_void_v<value>,
                "op_par_loop: a kernel with auto parameters needs arguments of known type (op2::dat, not op_dat)");
  using row = std::conditional_t<A::access == OP_READ, const value *, value *>;
  using is = std::conditional_t<A::kind == OP_RANGE_VECTOR, row const *, row>;
};

// The parameters of kernel F in a loop with arguments A: its own, or those that follow from the arguments.
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

// The object of a class without state. All of them are the same, so one serves every call; a copy is kept because C++17
// cannot make a closure from its type alone.
template <class F>
struct stateless {
  static_assert(std::is_empty_v<F>, "the objects kept here have no state");
  static inline std::optional<F> object;

  static void remember(const F &f) {
    static const bool once = (object.emplace(f), true);
    (void)once;
  }
};

// Two ways to call a kernel that is fixed by the program text for element n, with everything inlined. The rows are
// passed on unresolved: a compiler that sees pointers as parameters may load through them early and spoil its own
// vectorisation.
//
// Through the closure that op_par_loop writes around the kernel's name:
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

// A pointer to a function that calls the object.
template <class F, class P>
struct element_of;
template <class F, class... P>
struct element_of<F, types<P...>> {
  static void call(P... p) { (*stateless<F>::object)(p...); }
};

} // namespace op2::detail

#endif
