// headers.cpp: NVRTC knows size_t, the functions of <math.h>, printf, memcpy and their like without a header; here are
// the types, constants and names of C that it does not know. Those of C++: headers_cxx.cpp.
#include "code/headers.hpp"

#include <iterator>

namespace op2::exec_cuda {

namespace {

constexpr const char *stddef_text = R"(#pragma once
#undef NULL
#define NULL 0
#define offsetof(type, member) __builtin_offsetof(type, member)
namespace std { using ::size_t; using ::ptrdiff_t; typedef decltype(nullptr) nullptr_t; }
)";

constexpr const char *stdint_text = R"(#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef signed short int16_t;
typedef unsigned short uint16_t;
typedef signed int int32_t;
typedef unsigned int uint32_t;
typedef signed long long int64_t;
typedef unsigned long long uint64_t;
typedef signed long long intptr_t;
typedef unsigned long long uintptr_t;
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807ll
#define INT64_MIN (-9223372036854775807ll - 1)
#define UINT64_MAX 18446744073709551615ull
namespace std {
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t;
using ::int64_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
}
)";

constexpr const char *math_text = R"(#pragma once
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fc00000)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
#endif
)";

constexpr const char *limits_text = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807l - 1)
#define LONG_MAX 9223372036854775807l
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MIN (-9223372036854775807ll - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
)";

constexpr const char *float_text = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_EPSILON 1.19209290e-07f
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
)";

constexpr const char *std_math_text = R"(#pragma once
#include <math.h>
namespace std {
#define OP2_STD_MATH(name) using ::name;
OP2_STD_MATH(sqrt) OP2_STD_MATH(cbrt) OP2_STD_MATH(fabs) OP2_STD_MATH(exp) OP2_STD_MATH(exp2) OP2_STD_MATH(expm1)
OP2_STD_MATH(log) OP2_STD_MATH(log2) OP2_STD_MATH(log10) OP2_STD_MATH(log1p) OP2_STD_MATH(pow) OP2_STD_MATH(hypot)
OP2_STD_MATH(sin) OP2_STD_MATH(cos) OP2_STD_MATH(tan) OP2_STD_MATH(asin) OP2_STD_MATH(acos) OP2_STD_MATH(atan)
OP2_STD_MATH(atan2) OP2_STD_MATH(sinh) OP2_STD_MATH(cosh) OP2_STD_MATH(tanh) OP2_STD_MATH(asinh) OP2_STD_MATH(acosh)
OP2_STD_MATH(atanh) OP2_STD_MATH(erf) OP2_STD_MATH(erfc) OP2_STD_MATH(tgamma) OP2_STD_MATH(lgamma) OP2_STD_MATH(ceil)
OP2_STD_MATH(floor) OP2_STD_MATH(trunc) OP2_STD_MATH(round) OP2_STD_MATH(rint) OP2_STD_MATH(nearbyint) OP2_STD_MATH(fmod)
OP2_STD_MATH(fmin) OP2_STD_MATH(fmax) OP2_STD_MATH(fdim) OP2_STD_MATH(fma) OP2_STD_MATH(copysign) OP2_STD_MATH(abs)
OP2_STD_MATH(isnan) OP2_STD_MATH(isinf) OP2_STD_MATH(isfinite) OP2_STD_MATH(signbit) OP2_STD_MATH(remainder)
OP2_STD_MATH(nextafter) OP2_STD_MATH(ldexp) OP2_STD_MATH(frexp) OP2_STD_MATH(lround) OP2_STD_MATH(lrint)
#undef OP2_STD_MATH
/* Of three numbers, divided by the largest one, so that no square is too large. */
template <class T> inline T op2_hypot(T x, T y, T z) {
  x = ::fabs(x), y = ::fabs(y), z = ::fabs(z);
  const T most = ::fmax(x, ::fmax(y, z));
  if (!(most > T(0)) || ::isinf(most)) return most;
  return most * ::sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
}
inline double hypot(double x, double y, double z) { return op2_hypot(x, y, z); }
inline float hypot(float x, float y, float z) { return op2_hypot(x, y, z); }
}
)";

constexpr const char *stdlib_text = R"(#pragma once
#include <stddef.h>
)";
constexpr const char *std_stdlib_text = R"(#pragma once
#include <stddef.h>
namespace std { using ::abs; }
)";
constexpr const char *string_text = R"(#pragma once
#include <stddef.h>
)";
constexpr const char *std_string_text = R"(#pragma once
#include <stddef.h>
namespace std { using ::memcpy; using ::memset; }
)";
constexpr const char *assert_text = R"(#undef assert
#define assert(condition) ((void)0)
)";
constexpr const char *empty_text = "#pragma once\n";

constexpr Header headers[] = {
    {"stddef.h", stddef_text},    {"cstddef", stddef_text},  {"stdint.h", stdint_text},    {"cstdint", stdint_text},
    {"inttypes.h", stdint_text},  {"math.h", math_text},     {"cmath", std_math_text},     {"limits.h", limits_text},
    {"climits", limits_text},     {"float.h", float_text},   {"cfloat", float_text},       {"stdlib.h", stdlib_text},
    {"cstdlib", std_stdlib_text}, {"string.h", string_text}, {"cstring", std_string_text}, {"assert.h", assert_text},
    {"cassert", assert_text},     {"stdio.h", empty_text},   {"cstdio", empty_text},       {"stdbool.h", empty_text},
};

std::vector<Header> all_headers() {
  std::vector<Header> all(std::begin(headers), std::end(headers));
  const std::vector<Header> more = headers_of_cxx();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace

Headers device_headers() {
  Headers out;
  for (const Header &header : all_headers()) {
    out.names.push_back(header.name);
    out.texts.push_back(header.text);
  }
  return out;
}

std::string device_headers_text() {
  std::string out;
  for (const Header &header : all_headers()) out += std::string(header.name) + "\n" + header.text;
  return out;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
