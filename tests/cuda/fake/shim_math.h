/* shim_math.h: mathematics and vector types that device code finds without any header. */
#ifndef OP2_FAKE_SHIM_MATH_H
#define OP2_FAKE_SHIM_MATH_H

/* f(double) and ff(float) of the C library, and f for floats too. */
#define OP2_FAKE_MATH_1(name)      \
  extern "C" double name(double);  \
  extern "C" float name##f(float); \
  inline float name(float x) { return name##f(x); }
#define OP2_FAKE_MATH_2(name)             \
  extern "C" double name(double, double); \
  extern "C" float name##f(float, float); \
  inline float name(float x, float y) { return name##f(x, y); }

OP2_FAKE_MATH_1(sqrt)
OP2_FAKE_MATH_1(cbrt)
OP2_FAKE_MATH_1(fabs)
OP2_FAKE_MATH_1(floor)
OP2_FAKE_MATH_1(ceil)
OP2_FAKE_MATH_1(trunc)
OP2_FAKE_MATH_1(round)
OP2_FAKE_MATH_1(rint)
OP2_FAKE_MATH_1(nearbyint)
OP2_FAKE_MATH_1(exp)
OP2_FAKE_MATH_1(exp2)
OP2_FAKE_MATH_1(expm1)
OP2_FAKE_MATH_1(log)
OP2_FAKE_MATH_1(log2)
OP2_FAKE_MATH_1(log10)
OP2_FAKE_MATH_1(log1p)
OP2_FAKE_MATH_1(sin)
OP2_FAKE_MATH_1(cos)
OP2_FAKE_MATH_1(tan)
OP2_FAKE_MATH_1(asin)
OP2_FAKE_MATH_1(acos)
OP2_FAKE_MATH_1(atan)
OP2_FAKE_MATH_1(sinh)
OP2_FAKE_MATH_1(cosh)
OP2_FAKE_MATH_1(tanh)
OP2_FAKE_MATH_1(asinh)
OP2_FAKE_MATH_1(acosh)
OP2_FAKE_MATH_1(atanh)
OP2_FAKE_MATH_1(erf)
OP2_FAKE_MATH_1(erfc)
OP2_FAKE_MATH_1(tgamma)
OP2_FAKE_MATH_1(lgamma)
OP2_FAKE_MATH_1(logb)
OP2_FAKE_MATH_2(pow)
OP2_FAKE_MATH_2(fmod)
OP2_FAKE_MATH_2(remainder)
OP2_FAKE_MATH_2(atan2)
OP2_FAKE_MATH_2(hypot)
OP2_FAKE_MATH_2(fmin)
OP2_FAKE_MATH_2(fmax)
OP2_FAKE_MATH_2(fdim)
OP2_FAKE_MATH_2(copysign)
OP2_FAKE_MATH_2(nextafter)
inline double pow(double x, int n) { return pow(x, static_cast<double>(n)); }
inline float pow(float x, int n) { return powf(x, static_cast<float>(n)); }

extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double frexp(double, int *);
float frexpf(float, int *);
double modf(double, double *);
float modff(float, float *);
int ilogb(double);
int ilogbf(float);
long lrint(double);
long lround(double);
long long llrint(double);
long long llround(double);
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
int printf(const char *, ...);
void *memcpy(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
}
inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
inline float ldexp(float x, int n) { return ldexpf(x, n); }
inline long abs(long x) { return labs(x); }
inline long long abs(long long x) { return llabs(x); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool signbit(double x) { return __builtin_signbit(x); }
inline bool signbit(float x) { return __builtin_signbit(x); }

#define OP2_FAKE_MIN_MAX(type)                              \
  inline type min(type x, type y) { return y < x ? y : x; } \
  inline type max(type x, type y) { return x < y ? y : x; }
OP2_FAKE_MIN_MAX(int)
OP2_FAKE_MIN_MAX(unsigned)
OP2_FAKE_MIN_MAX(long)
OP2_FAKE_MIN_MAX(unsigned long)
OP2_FAKE_MIN_MAX(long long)
OP2_FAKE_MIN_MAX(unsigned long long)
inline float min(float x, float y) { return fminf(x, y); }
inline float max(float x, float y) { return fmaxf(x, y); }
inline double min(double x, double y) { return fmin(x, y); }
inline double max(double x, double y) { return fmax(x, y); }

/* Operations that no compiler contracts. */
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }

template <class To, class From>
inline To op2_fake_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits of the same number");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
inline long long __double_as_longlong(double x) { return op2_fake_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return op2_fake_bits<double>(x); }
inline int __float_as_int(float x) { return op2_fake_bits<int>(x); }
inline float __int_as_float(int x) { return op2_fake_bits<float>(x); }
inline unsigned __float_as_uint(float x) { return op2_fake_bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return op2_fake_bits<float>(x); }

#define OP2_FAKE_VECTORS(type, name)                                                  \
  struct alignas(2 * sizeof(type)) name##2 {                                          \
    type x, y;                                                                        \
  };                                                                                  \
  struct name##3 {                                                                    \
    type x, y, z;                                                                     \
  };                                                                                  \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 {             \
    type x, y, z, w;                                                                  \
  };                                                                                  \
  inline name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }            \
  inline name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; } \
  inline name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }
OP2_FAKE_VECTORS(int, int)
OP2_FAKE_VECTORS(unsigned, uint)
OP2_FAKE_VECTORS(short, short)
OP2_FAKE_VECTORS(unsigned short, ushort)
OP2_FAKE_VECTORS(signed char, char)
OP2_FAKE_VECTORS(unsigned char, uchar)
OP2_FAKE_VECTORS(long long, longlong)
OP2_FAKE_VECTORS(unsigned long long, ulonglong)
OP2_FAKE_VECTORS(float, float)
OP2_FAKE_VECTORS(double, double)

#endif

/* SPDX-License-Identifier: MIT */
