// range.hpp: the range function of a loop: the kernel inlined into a loop over elements.
//
// The compiler makes three loops for every op_par_loop. Each call runs the first one that is correct for the library's
// description of the arguments:
//
//   fast     the arguments agree with the guess of groups.hpp, and no two overlap except where both are OP_READ; this
//            loop is left out where lanes.hpp has one that serves instead
//   plain    the arguments agree with the program text
//   general  any arguments; the kernel is called through its pointer
#ifndef OP2_CPP_RANGE_HPP
#define OP2_CPP_RANGE_HPP

#include <utility>

#include "op2/cpp/any_row.hpp"
#include "op2/cpp/groups.hpp"
#include "op2/cpp/lane_row.hpp"

namespace op2::detail {

// The I-th of some values.
template <std::size_t I, class First, class... Rest>
OP2_INLINE inline auto nth(First first, Rest... rest) {
  if constexpr (I == 0) {
    return first;
  } else {
    return nth<I - 1>(rest...);
  }
}

template <class V>
OP2_INLINE inline V *pointer_to(char *bytes) {
  return static_cast<V *>(static_cast<void *>(bytes));
}

// Kernel: named_kernel or object_kernel; P: the kernel's parameters; A: the facts about its arguments.
template <class Kernel, class P, class... A>
struct range_function;

template <class Kernel, class... P, class... A>
struct range_function<Kernel, types<P...>, A...> {
  // An op_range_fn. ctx->element must not be NULL.
  static void run(const op_range_ctx *ctx, int begin, int end) { run(ctx, begin, end, indices()); }
  // Whether it takes the first loop.
  OP2_INLINE static bool as_guessed(const op_range_arg *args) { return as_guessed(args, indices()); }

 private:
  using indices = std::index_sequence_for<P...>;
  using guess = groups<types<P...>, A...>;
  template <class Parameter, class Facts>
  using value = typename row_for<Parameter, Facts>::value;
  template <class Parameter, class Facts>
  using restricted = value<Parameter, Facts> *__restrict__;
  template <class>
  using map_pointer = const int *;
  template <class>
  using restricted_map = const int *__restrict__;

  template <std::size_t... I>
  OP2_INLINE static bool as_guessed(const op_range_arg *args, std::index_sequence<I...>) {
    return (row_for<P, A, guess::stride(I)>::fits(args[I]) && ...) && guess::fits(args) &&
           guess::template apart<row_for<P, A>::in_place...>(args);
  }
  template <std::size_t... I>
  OP2_INLINE static void run(const op_range_ctx *ctx, int begin, int end, std::index_sequence<I...>) {
    const op_range_arg *const args = ctx->args;
    if constexpr (!loop_lanes<types<P...>, A...>::replaced) {
      if (as_guessed(args))
        return fast(begin, end, args, pointer_to<value<P, A>>(args[I].base)..., args[I].map...);
    }
    if ((row_for<P, A>::fits(args[I]) && ...)) {
      plain(begin, end, args);
    } else {
      general(begin, end, reinterpret_cast<void (*)(P...)>(ctx->element), any_row<P>(args[I])...);
    }
  }

  // Compilers use restrict only on parameters of a function that is not inlined.
  __attribute__((noinline, flatten)) static void fast(int begin, int end, const op_range_arg *args,
                                                      restricted<P, A>... base, restricted_map<P>... map) {
    fast_rows(begin, end, args, base..., map..., indices());
  }
  template <std::size_t... I>
  OP2_INLINE static void fast_rows(int begin, int end, const op_range_arg *args, value<P, A> *...base,
                                   map_pointer<P>... map, std::index_sequence<I...>) {
    sweep(begin, end,
          row_for<P, A, guess::stride(I)>(nth<guess::leader(I)>(base...),
                                          nth<guess::leader(I)>(map...) + guess::shift(I), args[I])...);
  }

  __attribute__((noinline, flatten)) static void plain(int begin, int end, const op_range_arg *args) {
    plain_rows(begin, end, args, indices());
  }
  template <std::size_t... I>
  OP2_INLINE static void plain_rows(int begin, int end, const op_range_arg *args, std::index_sequence<I...>) {
    sweep(begin, end, row_for<P, A>(pointer_to<value<P, A>>(args[I].base), args[I].map, args[I])...);
  }

  template <class... Row>
  OP2_INLINE static void sweep(int begin, int end, Row... row) {
    for (int n = begin; n < end; ++n) Kernel::call(n, row...);
    (row.finish(), ...);
  }

  __attribute__((noinline)) static void general(int begin, int end, void (*element)(P...), any_row<P>... row) {
    for (int n = begin; n < end; ++n) element(row.at(n)...);
  }
};

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
