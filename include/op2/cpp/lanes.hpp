// lanes.hpp: range functions that run the kernel on several elements at once, in the lanes of vectors.
//
// Rows go to the kernel through local variables, and the kernel is inlined in a loop over lanes, which the compiler
// turns into vector code. What a kernel adds to a row through a map is collected for each element and added at once, in
// the order of the elements, and so is what such a loop adds to a global; other loops have a sum for each lane. All
// functions of one loop have the same bits: the one with a single lane has as many sums. It also runs the elements that
// are left over.
//
// The library chooses among them, by processor and by time (op_loop_site::lanes). Those for instructions that the
// program is not built for carry them as an attribute. None of them fuses products and sums.
//
// There is none for AVX-512: it was 2 to 4 % faster than that for AVX2, for another third of the time of compilation.
//
// With gcc, in optimised builds without -ffast-math; -DOP2_LANES=0 leaves these functions out.
#ifndef OP2_CPP_LANES_HPP
#define OP2_CPP_LANES_HPP

#include "op2/cpp/range.hpp"

namespace op2::detail {

#if OP2_LANES

// A function that is a loop of its own, since compilers use restrict only on parameters; ...: its attributes. count: of
// elements at once. Where the target has instructions that fuse products and sums there are no vectors of straight
// lines, see lane_row.hpp.
#define OP2_LANE_LOOP(name, count, ...)                                                                    \
  __attribute__((flatten, optimize("O3", "fp-contract=off"), __VA_ARGS__)) static void name(               \
      int begin, int end, const op_range_arg *args, restricted<P, A>... base, restricted_map<P>... map) {  \
    rows(begin, end, count, args, base..., map..., indices());                                             \
  }

#if defined(__FP_FAST_FMA)
// The attribute of functions whose straight lines may become vectors where nothing fuses products and sums.
#define OP2_STRAIGHT_LINES optimize("no-tree-slp-vectorize")
// The same of functions that take one element at a time.
#define OP2_ONE_BY_ONE optimize("no-tree-slp-vectorize", "no-tree-loop-vectorize")
#else
// As above.
#define OP2_STRAIGHT_LINES optimize("tree-slp-vectorize")
// As above.
#define OP2_ONE_BY_ONE OP2_STRAIGHT_LINES
#endif

template <class Kernel, class P, class... A>
struct lane_functions;

template <class Kernel, class... P, class... A>
struct lane_functions<Kernel, types<P...>, A...> {
  // The functions of the loop, the one to be tried first in front; NULL if there are none.
  static const op_range_lanes *list() {
    if constexpr (lanes > 0) {
      static constexpr op_range_lanes all[] = {
#if defined(__x86_64__)
          {&run<&avx2>, "avx2", lanes, 0},
#else
          {&run<&neon>, "neon", lanes, 0},
#endif
          {scalar(), fuses ? "range" : "scalar", 1, 0},
          {nullptr, nullptr, 0, 0}};
      return all;
    } else {
      return nullptr;
    }
  }

 private:
  using indices = std::index_sequence_for<P...>;
  using range = range_function<Kernel, types<P...>, A...>;
  using guess = groups<types<P...>, A...>;
  template <class Parameter, class Facts>
  using value = typename lane_facts<Parameter, Facts>::row;
  template <class Parameter, class Facts>
  using restricted = value<Parameter, Facts> *__restrict__;
  template <class>
  using map_pointer = const int *;
  template <class>
  using restricted_map = const int *__restrict__;
  using loop = void (*)(int, int, const op_range_arg *, value<P, A> *..., map_pointer<P>...);

  static constexpr int lanes = loop_lanes<types<P...>, A...>::count;
  static constexpr bool apart = loop_lanes<types<P...>, A...>::other_bits;
  static constexpr bool fuses = loop_lanes<types<P...>, A...>::fuses;

  static constexpr op_range_fn scalar() {
    if constexpr (apart && !fuses)
      return &run<&one>;
    else
      return &range::run;
  }
  // An op_range_fn. What is left over, and other arguments than the text lets expect, run one by one.
  template <loop Function>
  static void run(const op_range_ctx *ctx, int begin, int end) {
    if (!range::as_guessed(ctx->args)) return range::run(ctx, begin, end);
    const int stop = begin + (end - begin) / lanes * lanes;
    if (stop > begin) call<Function>(ctx->args, begin, stop, indices());
    if (stop == end) return;
    if constexpr (apart)
      call<&one>(ctx->args, stop, end, indices());
    else
      range::run(ctx, stop, end);
  }
  template <loop Function, std::size_t... I>
  OP2_INLINE static void call(const op_range_arg *args, int begin, int end, std::index_sequence<I...>) {
    Function(begin, end, args, pointer_to<value<P, A>>(args[I].base)..., args[I].map...);
  }

#if defined(__x86_64__)
  OP2_LANE_LOOP(avx2, lanes, noinline, OP2_STRAIGHT_LINES, target("avx2"))
#else
  OP2_LANE_LOOP(neon, lanes, noinline, OP2_STRAIGHT_LINES)
#endif
  OP2_LANE_LOOP(one, 1, noinline, OP2_ONE_BY_ONE)

  template <std::size_t... I>
  OP2_INLINE static void rows(int begin, int end, int count, const op_range_arg *args, value<P, A> *...base,
                              map_pointer<P>... map, std::index_sequence<I...>) {
    sweep(begin, end, count,
          lanes_for<P, A, guess::stride(I), lanes, loop_lanes<types<P...>, A...>::adds>(
              nth<guess::leader(I)>(base...), nth<guess::leader(I)>(map...) + guess::shift(I), args[I])...);
  }
  template <class... Row>
  OP2_INLINE static void sweep(int begin, int end, int count, Row &&...row) {
    if (count == 1 && end - begin < lanes) (row.rest(), ...);
    for (int n = begin; n < end; n += count) {
      (row.begin(n, count), ...);
      for (int lane = 0; lane < count; ++lane) element(n, lane, typename Row::one(row, n, lane)...);
      if (count == 1)
        (row.put(n, 0), ...);
      else
#pragma GCC unroll 1 // no slower, and a sixth less to compile
        for (int lane = 0; lane < count; lane += 2) neighbours(typename Row::two(row, n, lane)...);
    }
    (row.finish(), ...);
  }
  template <class... One>
  OP2_INLINE static void element(int n, int lane, One &&...one) {
    Kernel::call(n + lane, one...);
    (one.end(lane), ...);
  }
  template <class... Two>
  OP2_INLINE static void neighbours(Two &&...two) {
    (two.first(), ...);
    (two.second(), ...);
  }
};

template <class Kernel, class P, class... A>
const op_range_lanes *lanes_of() {
  return lane_functions<Kernel, P, A...>::list();
}

#else

template <class, class, class...>
const op_range_lanes *lanes_of() {
  return nullptr;
}

#endif

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
