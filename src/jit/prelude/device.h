/* Functions of mathematics for kernels as text for a device's compiler (op_exec_text): the names of functions.h, for
 * single numbers only. Results have the types that functions.h gives them, since programs may overload on them.
 *
 * Needs nothing but the functions of <math.h> at global scope, and with OP2J_HOST defined not even those. OP2J_C
 * defined: the kernel is C, where sqrt(float) is a double. */
#ifndef OP2J_DEVICE_H
#define OP2J_DEVICE_H

#if defined(__CUDACC_RTC__)
#define OP2J_INLINE __forceinline__
#else
#define OP2J_INLINE inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wnarrowing" /* C allows double w[] = {i}; */
#endif
#ifndef OP2J_KERNEL /* how the kernel is declared */
#define OP2J_KERNEL OP2J_INLINE
#endif
#if defined(OP2J_HOST)
#define OP2J_OF_C(fn) __builtin_##fn
#else
#define OP2J_OF_C(fn) ::fn
#endif

namespace op2j {

template <bool Condition, class A, class B>
struct choice {
  using type = A;
};
template <class A, class B>
struct choice<false, A, B> {
  using type = B;
};
template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

/* The type of a number after promotion; enumerators are numbers, other things have none. */
template <class A>
using promoted = decltype(+A());
template <class A>
constexpr bool is_real = same<A, float> || same<A, double>;

#if defined(OP2J_C)
template <class... A>
constexpr bool all_single = false; /* C's sqrt() takes and gives double whatever its argument is */
#else
template <class... A>
constexpr bool all_single = (same<promoted<A>, float> && ...);
#endif
template <class A>
struct needs_number {
  static constexpr unsigned long value = sizeof(promoted<A>);
};
template <class... A>
using real = typename choice<all_single<A...> && (needs_number<A>::value & ...) != 0, float, double>::type;
/* float for float, in C as well. */
template <class A>
using real_or_own = typename choice<same<promoted<A>, float>, float, double>::type;

#define OP2J_ONE(fn)                                               \
  OP2J_INLINE double fn##_(double x) { return OP2J_OF_C(fn)(x); }  \
  OP2J_INLINE float fn##_(float x) { return OP2J_OF_C(fn##f)(x); } \
  template <class A, class R = real<A>>                            \
  OP2J_INLINE R fn(A x) {                                          \
    return fn##_(R(x));                                            \
  }                                                                \
  template <class A, class = promoted<A>>                          \
  OP2J_INLINE float fn##f(A x) {                                   \
    return fn##_(float(x));                                        \
  }
#define OP2J_TWO(fn)                                                           \
  OP2J_INLINE double fn##_(double x, double y) { return OP2J_OF_C(fn)(x, y); } \
  OP2J_INLINE float fn##_(float x, float y) { return OP2J_OF_C(fn##f)(x, y); } \
  OP2J_TWO_NAMES(fn)
#define OP2J_TWO_NAMES(fn)                                              \
  template <class A, class B, class R = real<A, B>>                     \
  OP2J_INLINE R fn(A x, B y) {                                          \
    return fn##_(R(x), R(y));                                           \
  }                                                                     \
  template <class A, class B, class = promoted<A>, class = promoted<B>> \
  OP2J_INLINE float fn##f(A x, B y) {                                   \
    return fn##_(float(x), float(y));                                   \
  }

OP2J_ONE(exp)
OP2J_ONE(exp2)
OP2J_ONE(expm1)
OP2J_ONE(log)
OP2J_ONE(log2)
OP2J_ONE(log10)
OP2J_ONE(log1p)
OP2J_ONE(cbrt)
OP2J_ONE(sin)
OP2J_ONE(cos)
OP2J_ONE(tan)
OP2J_ONE(asin)
OP2J_ONE(acos)
OP2J_ONE(atan)
OP2J_ONE(sinh)
OP2J_ONE(cosh)
OP2J_ONE(tanh)
OP2J_ONE(asinh)
OP2J_ONE(acosh)
OP2J_ONE(atanh)
OP2J_ONE(erf)
OP2J_ONE(erfc)
OP2J_ONE(tgamma)
OP2J_ONE(logb)
OP2J_ONE(round)
OP2J_ONE(nearbyint)
OP2J_ONE(rint)
OP2J_ONE(floor)
OP2J_ONE(ceil)
OP2J_ONE(trunc)
OP2J_ONE(sqrt)
OP2J_ONE(fabs)
OP2J_TWO(pow)
OP2J_TWO(atan2)
OP2J_TWO(hypot)
OP2J_TWO(fmod)
OP2J_TWO(remainder)
OP2J_TWO(fdim)
OP2J_TWO(nextafter)
OP2J_TWO(copysign)

OP2J_INLINE double fma_(double x, double y, double z) { return OP2J_OF_C(fma)(x, y, z); }
OP2J_INLINE float fma_(float x, float y, float z) { return OP2J_OF_C(fmaf)(x, y, z); }
template <class A, class B, class C, class R = real<A, B, C>>
OP2J_INLINE R fma(A x, B y, C z) {
  return fma_(R(x), R(y), R(z));
}
template <class A, class B, class C, class = real<A, B, C>>
OP2J_INLINE float fmaf(A x, B y, C z) {
  return fma_(float(x), float(y), float(z));
}

/* With an exponent that is an integer. */
#define OP2J_SCALE(fn)                                                       \
  OP2J_INLINE double fn##_(double x, int n) { return OP2J_OF_C(fn)(x, n); }  \
  OP2J_INLINE float fn##_(float x, int n) { return OP2J_OF_C(fn##f)(x, n); } \
  template <class A, class R = real<A>>                                      \
  OP2J_INLINE R fn(A x, int n) {                                             \
    return fn##_(R(x), n);                                                   \
  }                                                                          \
  template <class A, class = promoted<A>>                                    \
  OP2J_INLINE float fn##f(A x, int n) {                                      \
    return fn##_(float(x), n);                                               \
  }
OP2J_SCALE(ldexp)
OP2J_SCALE(scalbn)

/* To the nearest integer; of a float the same as of the double. */
#define OP2J_TO_INTEGER(fn, type)         \
  template <class A, class = promoted<A>> \
  OP2J_INLINE type fn(A x) {              \
    return OP2J_OF_C(fn)(double(x));      \
  }
OP2J_TO_INTEGER(lround, long)
OP2J_TO_INTEGER(lrint, long)
OP2J_TO_INTEGER(llround, long long)
OP2J_TO_INTEGER(llrint, long long)

/* NaN is no answer if the other one is a number. Of 0.0 and -0.0 the second one, as on the host. */
#define OP2J_EXTREME(fn, op)                \
  template <class T>                        \
  OP2J_INLINE T fn##_(T x, T y) {           \
    return (x op y) ? x : (y == y) ? y : x; \
  }                                         \
  OP2J_TWO_NAMES(fn)
OP2J_EXTREME(fmin, <)
OP2J_EXTREME(fmax, >)

/* Of C++: both of one type, and the first one unless the second is strictly beyond it. */
template <class T>
OP2J_INLINE T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
OP2J_INLINE T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
OP2J_INLINE T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

/* abs() of C is of int; that of C++ is of anything signed. */
template <class T>
struct abs_type {};
template <>
struct abs_type<int> {
  using type = int;
};
#if defined(OP2J_C)
template <>
struct abs_type<float> : abs_type<int> {};
template <>
struct abs_type<double> : abs_type<int> {};
template <>
struct abs_type<unsigned> : abs_type<int> {};
template <>
struct abs_type<long> : abs_type<int> {};
template <>
struct abs_type<unsigned long> : abs_type<int> {};
template <>
struct abs_type<long long> : abs_type<int> {};
template <>
struct abs_type<unsigned long long> : abs_type<int> {};
#else
template <>
struct abs_type<float> {
  using type = float;
};
template <>
struct abs_type<double> {
  using type = double;
};
template <>
struct abs_type<long> {
  using type = long;
};
template <>
struct abs_type<long long> {
  using type = long long;
};
#endif
template <class T>
OP2J_INLINE T abs_(T x) {
  if constexpr (is_real<T>)
    return fabs_(x);
  else
    return x < 0 ? -x : x;
}
template <class A, class R = typename abs_type<promoted<A>>::type>
OP2J_INLINE R abs(A x) {
  return abs_(R(x));
}
template <class A, class = promoted<A>>
OP2J_INLINE long labs(A x) {
  return abs_(long(x));
}
template <class A, class = promoted<A>>
OP2J_INLINE long long llabs(A x) {
  return abs_((long long)x);
}

/* --- what kind of number it is */
template <class T>
struct limits;
template <>
struct limits<double> {
  static constexpr double largest = 0x1.fffffffffffffp1023, normal = 0x1p-1022;
};
template <>
struct limits<float> {
  static constexpr float largest = 0x1.fffffep127f, normal = 0x1p-126f;
};
#define OP2J_CLASS(fn, expression)             \
  template <class A, class R = real_or_own<A>> \
  OP2J_INLINE bool fn(A argument) {            \
    const R x = R(argument);                   \
    return expression;                         \
  }
OP2J_CLASS(isnan, x != x)
OP2J_CLASS(isinf, fabs_(x) > limits<R>::largest)
OP2J_CLASS(isfinite, fabs_(x) <= limits<R>::largest)
OP2J_CLASS(isnormal, (fabs_(x) <= limits<R>::largest && fabs_(x) >= limits<R>::normal))
OP2J_CLASS(signbit, copysign_(R(1), x) < R(0))

} // namespace op2j

#endif
