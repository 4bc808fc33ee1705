/* Functions of mathematics for generated code: one set of names for numbers and for lanes.
 *
 * Those whose result is exact, or correctly rounded, are vector code. The others are the library's functions lane by
 * lane, so that results equal those of scalar code in every bit; vector_math.h, before this, has another way. */
#ifndef OP2J_FUNCTIONS_H
#define OP2J_FUNCTIONS_H
#include "jit/prelude/values.h"

namespace op2j {

/* from[index], for each lane that is on; the others may have any index. A table of numbers, or the lane's own array. */
template <class T, class I, int W, int B, class = scalar<T>>
OP2J_INLINE lanes<T, W> gather(const T *from, lanes<I, W> index, mask<W, B> on) {
  lanes<T, W> out;
  OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = on.v[i] ? from[index.v[i]] : T(0);
  return out;
}
template <class T, class I, int W, int B>
OP2J_INLINE lanes<T, W> gather(const lanes<T, W> *from, lanes<I, W> index, mask<W, B> on) {
  lanes<T, W> out;
  OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = on.v[i] ? from[index.v[i]].v[i] : T(0);
  return out;
}

/* to[index] = value for each lane that is on. */
template <class T, class I, int W, class X, int B>
OP2J_INLINE void scatter(lanes<T, W> *to, lanes<I, W> index, X value, mask<W, B> on) {
  const lanes<T, W> values(value);
  OP2J_UNROLL for (int i = 0; i < W; ++i) if (on.v[i]) to[index.v[i]].v[i] = values.v[i];
}

/* --- types of results */
template <class... A>
struct all_single {
#if defined(OP2J_C)
  static constexpr bool value = false; /* C's sqrt() takes and gives double whatever its argument is */
#else
  static constexpr bool value = (same<typename operand<A>::value, float> && ...);
#endif
};
template <class T, int W>
struct of_any_width : of_width<T, W> {};
template <class T>
struct of_any_width<T, 0> {
  using type = T;
};
template <bool Single>
struct real_type {
  using type = double;
};
template <>
struct real_type<true> {
  using type = float;
};
template <class... A>
constexpr int width_of = (operand<A>::width | ... | 0);
template <class... A>
using numbers =
    first_of<void(typename canonical<decltype(+typename operand<A>::value())>::type...)>; /* or no overload */
/* What f(a...) gives, and what ff(a...) gives. */
template <class... A>
using real = typename of_any_width<typename real_type<all_single<A...>::value>::type,
                                   sizeof(numbers<A...>) ? width_of<A...> : 0>::type;
template <class... A>
using single = typename of_any_width<float, sizeof(numbers<A...>) ? width_of<A...> : 0>::type;

/* float for float, in C as well. */
template <class A>
using real_or_own = typename of_any_width<typename real_type<same<typename operand<A>::value, float>>::type,
                                          sizeof(numbers<A>) ? width_of<A> : 0>::type;
/* T's element type, as many as there are in A and B. */
template <class T, class A, class B>
using width_like = typename of_any_width<decltype(typename operand<T>::value()),
                                         sizeof(numbers<A, B>) ? (operand<A>::width | operand<B>::width) : 0>::type;

/* --- lane by lane */
#define OP2J_EACH(fn)                                                    \
  OP2J_INLINE double fn##_(double x) { return __builtin_##fn(x); }       \
  OP2J_INLINE float fn##_(float x) { return __builtin_##fn##f(x); }      \
  OP2J_EACH_LANE(fn)
#define OP2J_EACH_LANE(fn)                                               \
  template <class T, int W>                                              \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x) {                         \
    lanes<T, W> out;                                                     \
    OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = fn##_(T(x.v[i])); \
    return out;                                                          \
  }                                                                      \
  OP2J_NAMES(fn)
#define OP2J_NAMES(fn)                    \
  template <class A, class R = real<A>>   \
  OP2J_INLINE R fn(A x) {                 \
    return fn##_(R(x));                   \
  }                                       \
  template <class A, class R = single<A>> \
  OP2J_INLINE R fn##f(A x) {              \
    return fn##_(R(x));                   \
  }
#define OP2J_EACH2(fn)                                                              \
  OP2J_INLINE double fn##_(double x, double y) { return __builtin_##fn(x, y); }     \
  OP2J_INLINE float fn##_(float x, float y) { return __builtin_##fn##f(x, y); }     \
  OP2J_EACH2_LANES(fn)
#define OP2J_EACH2_LANES(fn)                                                        \
  template <class T, int W>                                                         \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x, lanes<T, W> y) {                     \
    lanes<T, W> out;                                                                \
    OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = fn##_(T(x.v[i]), T(y.v[i])); \
    return out;                                                                     \
  }                                                                                 \
  OP2J_NAMES2(fn)
#define OP2J_NAMES2(fn)                               \
  template <class A, class B, class R = real<A, B>>   \
  OP2J_INLINE R fn(A x, B y) {                        \
    return fn##_(R(x), R(y));                         \
  }                                                   \
  template <class A, class B, class R = single<A, B>> \
  OP2J_INLINE R fn##f(A x, B y) {                     \
    return fn##_(R(x), R(y));                         \
  }

#if defined(OP2J_SCALAR_MATH_H) /* the compiler is to make vectors of calls */
#define OP2J_WIDE(fn)                                       \
  OP2J_INLINE double fn##_(double x) { return op2m::fn(x); } \
  OP2J_INLINE float fn##_(float x) { return op2m::fn(x); } OP2J_EACH_LANE(fn)
#define OP2J_WIDE2(fn)                                                     \
  OP2J_INLINE double fn##_(double x, double y) { return op2m::fn(x, y); }  \
  OP2J_INLINE float fn##_(float x, float y) { return op2m::fn(x, y); } OP2J_EACH2_LANES(fn)
#elif !defined(OP2J_WIDE)
#define OP2J_WIDE OP2J_EACH
#define OP2J_WIDE2 OP2J_EACH2
#endif
OP2J_WIDE(exp)
OP2J_WIDE(exp2)
OP2J_WIDE(expm1)
OP2J_WIDE(log)
OP2J_WIDE(log2)
OP2J_WIDE(log10)
OP2J_WIDE(log1p)
OP2J_WIDE(cbrt)
OP2J_WIDE(sin)
OP2J_WIDE(cos)
OP2J_WIDE(tan)
OP2J_WIDE(asin)
OP2J_WIDE(acos)
OP2J_WIDE(atan)
OP2J_WIDE(sinh)
OP2J_WIDE(cosh)
OP2J_WIDE(tanh)
OP2J_WIDE(asinh)
OP2J_WIDE(acosh)
OP2J_WIDE(atanh)
OP2J_WIDE(erf)
OP2J_WIDE(erfc)
OP2J_EACH(tgamma)
OP2J_EACH(logb)
OP2J_EACH(round)
OP2J_EACH(nearbyint)
OP2J_WIDE2(pow)
OP2J_WIDE2(atan2)
OP2J_WIDE2(hypot)
OP2J_EACH2(fmod)
OP2J_EACH2(remainder)
OP2J_EACH2(fdim)
OP2J_EACH2(nextafter)

OP2J_INLINE double fma_(double x, double y, double z) { return __builtin_fma(x, y, z); }
OP2J_INLINE float fma_(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
template <class T, int W>
OP2J_INLINE lanes<T, W> fma_(lanes<T, W> x, lanes<T, W> y, lanes<T, W> z) {
  lanes<T, W> out;
  OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = fma_(T(x.v[i]), T(y.v[i]), T(z.v[i]));
  return out;
}
template <class A, class B, class C, class R = real<A, B, C>>
OP2J_INLINE R fma(A x, B y, C z) {
  return fma_(R(x), R(y), R(z));
}
template <class A, class B, class C, class R = single<A, B, C>>
OP2J_INLINE R fmaf(A x, B y, C z) {
  return fma_(R(x), R(y), R(z));
}

/* With an exponent that is an integer. */
#define OP2J_SCALE(fn)                                                                \
  OP2J_INLINE double fn##_(double x, int n) { return __builtin_##fn(x, n); }          \
  OP2J_INLINE float fn##_(float x, int n) { return __builtin_##fn##f(x, n); }         \
  template <class T, int W>                                                           \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x, lanes<int, W> n) {                     \
    lanes<T, W> out;                                                                  \
    OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = fn##_(T(x.v[i]), int(n.v[i])); \
    return out;                                                                       \
  }                                                                                   \
  template <class A, class B, class R = width_like<real<A>, A, B>>                    \
  OP2J_INLINE R fn(A x, B n) {                                                        \
    return fn##_(R(x), width_like<int, A, B>(n));                                     \
  }                                                                                   \
  template <class A, class B, class R = width_like<float, A, B>>                      \
  OP2J_INLINE R fn##f(A x, B n) {                                                     \
    return fn##_(R(x), width_like<int, A, B>(n));                                     \
  }
OP2J_SCALE(ldexp)
OP2J_SCALE(scalbn)

/* To the nearest integer. */
#define OP2J_TO_INTEGER(fn)                                                      \
  template <class A, class R = real_or_own<A>>                                   \
  OP2J_INLINE auto fn(A argument) {                                              \
    const R x(argument);                                                         \
    constexpr int W = operand<A>::width;                                         \
    if constexpr (W == 0) {                                                      \
      return __builtin_##fn(x); /* of a float the same as of the double */       \
    } else {                                                                     \
      lanes<long long, W> out;                                                   \
      OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = __builtin_##fn(x.v[i]); \
      return out;                                                                \
    }                                                                            \
  }
OP2J_TO_INTEGER(lround)
OP2J_TO_INTEGER(lrint)
OP2J_TO_INTEGER(llround)
OP2J_TO_INTEGER(llrint)

/* What compilers do to pow(x, 2.0), too. */
template <class A, class R = real<A, double>>
OP2J_INLINE R square(A x) {
  return R(x) * R(x);
}
template <class A, class R = single<A>>
OP2J_INLINE R squaref(A x) {
  return R(x) * R(x);
}

/* --- by the processor's instructions for whole vectors where there is one */
template <class T, int W>
struct halves {
  lanes<T, W / 2> low, high;
};
#if defined(__x86_64__)
#define OP2J_BY_16(call16, call4)                                                \
  if constexpr (sizeof(T) == 8 && W == 2) return L::of((typename L::vec)call16); \
  if constexpr (sizeof(T) == 4 && W == 4) return L::of((typename L::vec)call4);
#define OP2J_BY_32(call8, call4)                                                \
  if constexpr (sizeof(T) == 8 && W == 4) return L::of((typename L::vec)call8); \
  if constexpr (sizeof(T) == 4 && W == 8) return L::of((typename L::vec)call4);
#define OP2J_BY_64(call8, call4)                                                \
  if constexpr (sizeof(T) == 8 && W == 8) return L::of((typename L::vec)call8); \
  if constexpr (sizeof(T) == 4 && W == 16) return L::of((typename L::vec)call4);
#define OP2J_PD(n) typedef double pd##n __attribute__((vector_size(n)))
#define OP2J_PS(n) typedef float ps##n __attribute__((vector_size(n)))
OP2J_PD(16);
OP2J_PS(16);
#if defined(__AVX__)
OP2J_PD(32);
OP2J_PS(32);
#endif
#if defined(__AVX512F__)
OP2J_PD(64);
OP2J_PS(64);
#endif
#endif

/* Vectors wider than any instruction by halves, all others lane by lane. */
#define OP2J_HALVES_OR_EACH(fn)                                       \
  if constexpr (W * sizeof(T) > 16 && W > 1) {                        \
    halves<T, W> parts;                                               \
    __builtin_memcpy(&parts, &x, sizeof x);                           \
    parts.low = fn(parts.low);                                        \
    parts.high = fn(parts.high);                                      \
    L out;                                                            \
    __builtin_memcpy(&out, &parts, sizeof out);                       \
    return out;                                                       \
  } else {                                                            \
    L out;                                                            \
    OP2J_UNROLL for (int i = 0; i < W; ++i) out.v[i] = fn(T(x.v[i])); \
    return out;                                                       \
  }

OP2J_INLINE double sqrt_(double x) { return __builtin_sqrt(x); }
OP2J_INLINE float sqrt_(float x) { return __builtin_sqrtf(x); }
template <class T, int W>
OP2J_INLINE lanes<T, W> sqrt_(lanes<T, W> x) {
  using L = lanes<T, W>;
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_sqrt)
  return L::of(__builtin_elementwise_sqrt(x.v));
#define OP2J_HAVE_SQRT
#endif
#endif
#if defined(__x86_64__) && !defined(OP2J_HAVE_SQRT)
#if defined(__AVX512F__) && defined(__clang__)
  OP2J_BY_64(__builtin_ia32_sqrtpd512((pd64)x.v, 4), __builtin_ia32_sqrtps512((ps64)x.v, 4))
#elif defined(__AVX512F__)
  OP2J_BY_64(__builtin_ia32_sqrtpd512_mask((pd64)x.v, (pd64)x.v, -1, 4),
             __builtin_ia32_sqrtps512_mask((ps64)x.v, (ps64)x.v, -1, 4))
#endif
#if defined(__AVX__)
  OP2J_BY_32(__builtin_ia32_sqrtpd256((pd32)x.v), __builtin_ia32_sqrtps256((ps32)x.v))
#endif
  OP2J_BY_16(__builtin_ia32_sqrtpd((pd16)x.v), __builtin_ia32_sqrtps((ps16)x.v))
#elif defined(__aarch64__) && !defined(OP2J_HAVE_SQRT)
  if constexpr (sizeof(T) * W == 16) {
    L out;
    if constexpr (sizeof(T) == 8)
      __asm__("fsqrt %0.2d, %1.2d" : "=w"(out.v) : "w"(x.v));
    else
      __asm__("fsqrt %0.4s, %1.4s" : "=w"(out.v) : "w"(x.v));
    return out;
  }
#endif
#if !defined(OP2J_HAVE_SQRT)
  OP2J_HALVES_OR_EACH(sqrt_)
#endif
}
OP2J_NAMES(sqrt)

/* Rounding to a whole number; `how` is the processor's code of the direction. */
#if defined(__SSE4_1__)
#define OP2J_ROUND_16(how) OP2J_BY_16(__builtin_ia32_roundpd((pd16)x.v, how), __builtin_ia32_roundps((ps16)x.v, how))
#else
#define OP2J_ROUND_16(how)
#endif
#if defined(__AVX__)
#define OP2J_ROUND_32(how) \
  OP2J_BY_32(__builtin_ia32_roundpd256((pd32)x.v, how), __builtin_ia32_roundps256((ps32)x.v, how))
#else
#define OP2J_ROUND_32(how)
#endif
#if defined(__AVX512F__)
#define OP2J_ROUND_64(how)                                                     \
  OP2J_BY_64(__builtin_ia32_rndscalepd_mask((pd64)x.v, how, (pd64)x.v, -1, 4), \
             __builtin_ia32_rndscaleps_mask((ps64)x.v, how, (ps64)x.v, -1, 4))
#else
#define OP2J_ROUND_64(how)
#endif
#define OP2J_ROUNDING(fn, how)                                                          \
  OP2J_INLINE double fn##_(double x) { return __builtin_##fn(x); }                      \
  OP2J_INLINE float fn##_(float x) { return __builtin_##fn##f(x); }                     \
  template <class T, int W>                                                             \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x) {                                        \
    using L = lanes<T, W>;                                                              \
    OP2J_ROUND_64(how) OP2J_ROUND_32(how) OP2J_ROUND_16(how) OP2J_HALVES_OR_EACH(fn##_) \
  }                                                                                     \
  OP2J_NAMES(fn)
OP2J_ROUNDING(floor, 1)
OP2J_ROUNDING(ceil, 2)
OP2J_ROUNDING(trunc, 3)
OP2J_ROUNDING(rint, 4)

/* --- by bits and comparisons */
template <class T, int W>
OP2J_INLINE typename lanes<T, W>::bits sign_bit() {
  using U = typename canonical<T>::bits;
  return broadcast<typename lanes<T, W>::bits>(U(U(1) << (sizeof(T) * 8 - 1)));
}
template <class T, int W>
OP2J_INLINE typename lanes<T, W>::bits bits_of(lanes<T, W> x) {
  return (typename lanes<T, W>::bits)x.v;
}
OP2J_INLINE double fabs_(double x) { return __builtin_fabs(x); }
OP2J_INLINE float fabs_(float x) { return __builtin_fabsf(x); }
template <class T, int W>
OP2J_INLINE lanes<T, W> fabs_(lanes<T, W> x) {
  return lanes<T, W>::of_bits(bits_of(x) & ~sign_bit<T, W>());
}
OP2J_NAMES(fabs)
OP2J_INLINE double copysign_(double x, double y) { return __builtin_copysign(x, y); }
OP2J_INLINE float copysign_(float x, float y) { return __builtin_copysignf(x, y); }
template <class T, int W>
OP2J_INLINE lanes<T, W> copysign_(lanes<T, W> x, lanes<T, W> y) {
  return lanes<T, W>::of_bits((bits_of(x) & ~sign_bit<T, W>()) | (bits_of(y) & sign_bit<T, W>()));
}
OP2J_NAMES2(copysign)

/* NaN is no answer if the other one is a number. Of 0.0 and -0.0 the second one, as the library's functions do. */
#define OP2J_EXTREME(fn, op)                                    \
  template <class T>                                            \
  OP2J_INLINE T fn##_(T x, T y) {                               \
    return (x op y) ? x : (y == y) ? y : x;                     \
  }                                                             \
  template <class T, int W>                                     \
  OP2J_INLINE lanes<T, W> fn##_(lanes<T, W> x, lanes<T, W> y) { \
    return blend((x op y) | (y != y), x, y);                    \
  }                                                             \
  OP2J_NAMES2(fn)
OP2J_EXTREME(fmin, <)
OP2J_EXTREME(fmax, >)

/* Of C++: both of one type, and the first one unless the second is strictly beyond it. */
template <class T, class = scalar<T>>
OP2J_INLINE T min(T a, T b) {
  return b < a ? b : a;
}
template <class T, class = scalar<T>>
OP2J_INLINE T max(T a, T b) {
  return a < b ? b : a;
}
template <class A, class B, class C = common<A, B>, class = decltype(sizeof(C))>
OP2J_INLINE C min(A a, B b) {
  return blend(C(b) < C(a), C(b), C(a));
}
template <class A, class B, class C = common<A, B>, class = decltype(sizeof(C))>
OP2J_INLINE C max(A a, B b) {
  return blend(C(a) < C(b), C(b), C(a));
}
template <class A, class B, class C>
OP2J_INLINE auto clamp(A x, B low, C high) -> decltype(min(max(x, low), high)) {
  return min(max(x, low), high);
}

/* abs() of C is of int; that of C++ is of anything signed. */
OP2J_INLINE int abs_(int x) { return __builtin_abs(x); }
OP2J_INLINE long long abs_(long long x) { return __builtin_llabs(x); }
OP2J_INLINE double abs_(double x) { return __builtin_fabs(x); }
OP2J_INLINE float abs_(float x) { return __builtin_fabsf(x); }
template <class T, int W>
OP2J_INLINE lanes<T, W> abs_(lanes<T, W> x) {
  if constexpr (is_real<T>)
    return fabs_(x);
  else
    return blend(x < T(0), -x, x);
}
template <class T>
struct abs_type {};
template <>
struct abs_type<int> {
  using type = int;
};
#if !defined(OP2J_C)
template <>
struct abs_type<long long> {
  using type = long long;
};
template <>
struct abs_type<float> {
  using type = float;
};
#endif
template <>
struct abs_type<double> {
#if defined(OP2J_C)
  using type = int;
#else
  using type = double;
#endif
};
#if defined(OP2J_C)
template <>
struct abs_type<float> : abs_type<int> {};
template <>
struct abs_type<unsigned> : abs_type<int> {};
template <>
struct abs_type<long long> : abs_type<int> {};
template <>
struct abs_type<unsigned long long> : abs_type<int> {};
#endif
template <class A, class R = typename of_any_width<
                       typename abs_type<typename canonical<decltype(+typename operand<A>::value())>::type>::type,
                       operand<A>::width>::type>
OP2J_INLINE R abs(A x) {
  return abs_(R(x));
}
template <class A, class = numbers<A>, class R = typename of_any_width<long long, operand<A>::width>::type>
OP2J_INLINE R labs(A x) {
  return abs_(R(x));
}
template <class A, class = numbers<A>, class R = typename of_any_width<long long, operand<A>::width>::type>
OP2J_INLINE R llabs(A x) {
  return abs_(R(x));
}

/* --- what kind of number it is */
template <class T>
struct limits;
template <>
struct limits<double> {
  static constexpr double largest = __DBL_MAX__, normal = __DBL_MIN__;
};
template <>
struct limits<float> {
  static constexpr float largest = __FLT_MAX__, normal = __FLT_MIN__;
};
#define OP2J_CLASS(fn, expression)                    \
  template <class A, class R = real_or_own<A>>        \
  OP2J_INLINE auto fn(A argument) {                   \
    const R x(argument);                              \
    using T = decltype(typename operand<R>::value()); \
    return expression;                                \
  }
template <class T>
OP2J_INLINE T magnitude(T x) {
  return fabs_(x);
}
OP2J_CLASS(isnan, (static_cast<void>(T()), x != x))
OP2J_CLASS(isinf, magnitude(x) > limits<T>::largest)
OP2J_CLASS(isfinite, magnitude(x) <= limits<T>::largest)
OP2J_CLASS(isnormal, (magnitude(x) <= limits<T>::largest) & (magnitude(x) >= limits<T>::normal))
OP2J_CLASS(signbit, copysign_(R(T(1)), x) < T(0))

} // namespace op2j

#endif
