/* Functions of mathematics for whole vectors, from glibc's vector library (libmvec), where OP2_JIT_MATH=vector wants
 * them. Between values.h and functions.h, which takes them in place of the library's functions lane by lane. Results
 * are within 4 units in the last place, so they differ from those of scalar code in last bits; what is left at the end
 * of a range is scalar code.
 *
 * Names as in Intel's vector ABI: _ZGV, b = SSE, d = AVX2, e = AVX-512, N, lanes, one v per argument. */
#ifndef OP2J_VECTOR_MATH_H
#define OP2J_VECTOR_MATH_H
#include "jit/prelude/values.h"

namespace op2j {

#define OP2J_WIDE_TYPES(bytes)                                           \
  typedef double wide_double##bytes __attribute__((vector_size(bytes))); \
  typedef float wide_float##bytes __attribute__((vector_size(bytes)));
OP2J_WIDE_TYPES(16)
OP2J_WIDE_TYPES(32)
OP2J_WIDE_TYPES(64)

#define OP2J_WIDE_1(fn, isa, bytes, lanes8, lanes4)                               \
  extern "C" wide_double##bytes _ZGV##isa##N##lanes8##v_##fn(wide_double##bytes); \
  extern "C" wide_float##bytes _ZGV##isa##N##lanes4##v_##fn##f(wide_float##bytes);
#define OP2J_WIDE_2(fn, isa, bytes, lanes8, lanes4)                                                    \
  extern "C" wide_double##bytes _ZGV##isa##N##lanes8##vv_##fn(wide_double##bytes, wide_double##bytes); \
  extern "C" wide_float##bytes _ZGV##isa##N##lanes4##vv_##fn##f(wide_float##bytes, wide_float##bytes);
#define OP2J_USE_1(fn, isa, bytes, lanes8, lanes4)                                        \
  if constexpr (sizeof(T) == 8 && W == lanes8)                                            \
    return L::of((typename L::vec)_ZGV##isa##N##lanes8##v_##fn((wide_double##bytes)x.v)); \
  if constexpr (sizeof(T) == 4 && W == lanes4)                                            \
    return L::of((typename L::vec)_ZGV##isa##N##lanes4##v_##fn##f((wide_float##bytes)x.v));
#define OP2J_USE_2(fn, isa, bytes, lanes8, lanes4)                                                                  \
  if constexpr (sizeof(T) == 8 && W == lanes8)                                                                      \
    return L::of((typename L::vec)_ZGV##isa##N##lanes8##vv_##fn((wide_double##bytes)x.v, (wide_double##bytes)y.v)); \
  if constexpr (sizeof(T) == 4 && W == lanes4)                                                                      \
    return L::of((typename L::vec)_ZGV##isa##N##lanes4##vv_##fn##f((wide_float##bytes)x.v, (wide_float##bytes)y.v));

/* For each width that the processor has. */
#if defined(__AVX512F__)
#define OP2J_EVERY_WIDTH(what, fn) what(fn, b, 16, 2, 4) what(fn, d, 32, 4, 8) what(fn, e, 64, 8, 16)
#elif defined(__AVX2__)
#define OP2J_EVERY_WIDTH(what, fn) what(fn, b, 16, 2, 4) what(fn, d, 32, 4, 8)
#else
#define OP2J_EVERY_WIDTH(what, fn) what(fn, b, 16, 2, 4)
#endif

#define OP2J_WIDE(fn)                                               \
  OP2J_EVERY_WIDTH(OP2J_WIDE_1, fn)                                 \
  OP2J_INLINE double fn##_(double x) { return __builtin_##fn(x); }  \
  OP2J_INLINE float fn##_(float x) { return __builtin_##fn##f(x); } \
  template <class T, int W>                                         \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x) {                    \
    using L = lanes<T, W>;                                          \
    OP2J_EVERY_WIDTH(OP2J_USE_1, fn)                                \
    L out;                                                          \
    for (int i = 0; i < W; ++i) out.v[i] = fn##_(T(x.v[i]));        \
    return out;                                                     \
  }                                                                 \
  OP2J_NAMES(fn)
#define OP2J_WIDE2(fn)                                                          \
  OP2J_EVERY_WIDTH(OP2J_WIDE_2, fn)                                             \
  OP2J_INLINE double fn##_(double x, double y) { return __builtin_##fn(x, y); } \
  OP2J_INLINE float fn##_(float x, float y) { return __builtin_##fn##f(x, y); } \
  template <class T, int W>                                                     \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x, lanes<T, W> y) {                 \
    using L = lanes<T, W>;                                                      \
    OP2J_EVERY_WIDTH(OP2J_USE_2, fn)                                            \
    L out;                                                                      \
    for (int i = 0; i < W; ++i) out.v[i] = fn##_(T(x.v[i]), T(y.v[i]));         \
    return out;                                                                 \
  }                                                                             \
  OP2J_NAMES2(fn)

} // namespace op2j

#endif
