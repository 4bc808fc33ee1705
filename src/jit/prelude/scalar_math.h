/* Functions of mathematics for text whose vectors the compiler makes: it may call them for all lanes at once, and each
 * lane gets what the C library's function gives, bit by bit. Before functions.h. gcc writes the forms for lanes itself
 * (attribute simd); other compilers make no vectors around such calls.
 *
 * c_exp() stands for exp() without std::, which for a float means one of two functions: there is none for that.
 * What gcc computes without a call stays so: functions of constants, x * x for pow(x, 2).
 *
 * Behind device.h the names are that file's, one number at a time. */
#ifndef OP2J_SCALAR_MATH_H
#define OP2J_SCALAR_MATH_H

#if defined(OP2J_DEVICE_H)
namespace op2m {

#define OP2M_ONE(fn)                                              \
  using op2j::fn;                                                 \
  using op2j::fn##f;                                              \
  OP2J_INLINE double c_##fn(double x) { return op2j::fn##_(x); } \
  float c_##fn(float) = delete;
#define OP2M_TWO(fn, folded)                                                   \
  using op2j::fn;                                                              \
  using op2j::fn##f;                                                           \
  OP2J_INLINE double c_##fn(double x, double y) { return op2j::fn##_(x, y); } \
  float c_##fn(float, float) = delete;

#else
#if defined(__clang__)
#define OP2M_LANES inline
#else
#define OP2M_LANES __attribute__((simd("notinbranch"), const, noinline, nothrow)) static
#endif
#define OP2M_INLINE inline __attribute__((always_inline))

namespace op2m {

template <class T>
struct whole {};
template <>
struct whole<int> {
  typedef double is;
};
template <>
struct whole<unsigned> : whole<int> {};
template <>
struct whole<long> : whole<int> {};
template <>
struct whole<unsigned long> : whole<int> {};
template <>
struct whole<long long> : whole<int> {};

#define OP2M_ONE(fn)                                                  \
  OP2M_LANES double fn##_lanes(double x) { return __builtin_##fn(x); } \
  OP2M_LANES float fn##_lanes(float x) { return __builtin_##fn##f(x); } \
  OP2M_INLINE double fn(double x) {                                   \
    if (__builtin_constant_p(x)) return __builtin_##fn(x);            \
    return fn##_lanes(x);                                             \
  }                                                                   \
  OP2M_INLINE float fn(float x) {                                     \
    if (__builtin_constant_p(x)) return __builtin_##fn##f(x);         \
    return fn##_lanes(x);                                             \
  }                                                                   \
  OP2M_INLINE float fn##f(float x) { return fn(x); }                  \
  OP2M_INLINE double c_##fn(double x) { return fn(x); }               \
  float c_##fn(float) = delete;                                       \
  template <class T>                                                  \
  OP2M_INLINE typename whole<T>::is fn(T x) {                         \
    return fn(double(x));                                             \
  }
/* folded: whether gcc computes it without a call */
#define OP2M_TWO(fn, folded)                                                                \
  OP2M_LANES double fn##_lanes(double x, double y) { return __builtin_##fn(x, y); }          \
  OP2M_LANES float fn##_lanes(float x, float y) { return __builtin_##fn##f(x, y); }          \
  OP2M_INLINE double fn(double x, double y) {                                               \
    if (folded || (__builtin_constant_p(x) && __builtin_constant_p(y))) return __builtin_##fn(x, y); \
    return fn##_lanes(x, y);                                                                \
  }                                                                                         \
  OP2M_INLINE float fn(float x, float y) {                                                  \
    if (folded || (__builtin_constant_p(x) && __builtin_constant_p(y))) return __builtin_##fn##f(x, y); \
    return fn##_lanes(x, y);                                                                \
  }                                                                                         \
  OP2M_INLINE float fn##f(float x, float y) { return fn(x, y); }                             \
  OP2M_INLINE double c_##fn(double x, double y) { return fn(x, y); }                        \
  float c_##fn(float, float) = delete;                                                      \
  template <class T, class U>                                                               \
  OP2M_INLINE double fn(T x, U y) {                                                         \
    return fn(double(x), double(y));                                                        \
  }

#endif

OP2M_ONE(exp)
OP2M_ONE(exp2)
OP2M_ONE(expm1)
OP2M_ONE(log)
OP2M_ONE(log2)
OP2M_ONE(log10)
OP2M_ONE(log1p)
OP2M_ONE(cbrt)
OP2M_ONE(sin)
OP2M_ONE(cos)
OP2M_ONE(tan)
OP2M_ONE(asin)
OP2M_ONE(acos)
OP2M_ONE(atan)
OP2M_ONE(sinh)
OP2M_ONE(cosh)
OP2M_ONE(tanh)
OP2M_ONE(asinh)
OP2M_ONE(acosh)
OP2M_ONE(atanh)
OP2M_ONE(erf)
OP2M_ONE(erfc)
OP2M_TWO(pow, (__builtin_constant_p(y) && (y == 0 || y == 1 || y == 2 || y == -1)))
OP2M_TWO(atan2, false)
OP2M_TWO(hypot, false)

} // namespace op2m

#endif
