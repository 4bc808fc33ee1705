// known_functions.cpp: see known_functions.hpp.
#include "jit/text/known_functions.hpp"

#include <algorithm>
#include <array>

namespace op2::core::jit {

namespace {

// A function of double with its twin of float.
#define OP2_BOTH(name, arguments, exact)                                          \
  KnownFunction{#name, arguments, exact, #name "f", false, true}, KnownFunction { \
#name "f", arguments, exact, #name, true, true                                \
  }
#define OP2_ONE(name, arguments, exact, c) \
  KnownFunction { #name, arguments, exact, "", false, c }

constexpr std::array functions = {
    // what IEEE 754 and C define to the last bit
    OP2_BOTH(sqrt, 1, true), OP2_BOTH(fabs, 1, true), OP2_BOTH(fmin, 2, true), OP2_BOTH(fmax, 2, true),
    OP2_BOTH(floor, 1, true), OP2_BOTH(ceil, 1, true), OP2_BOTH(trunc, 1, true), OP2_BOTH(rint, 1, true),
    OP2_BOTH(nearbyint, 1, true), OP2_BOTH(copysign, 2, true), OP2_BOTH(fma, 3, true), OP2_BOTH(fdim, 2, true),
    OP2_ONE(abs, 1, true, true), OP2_ONE(min, 2, true, false), OP2_ONE(max, 2, true, false),
    OP2_ONE(clamp, 3, true, false),
    // the rest
    OP2_BOTH(pow, 2, false), OP2_BOTH(exp, 1, false), OP2_BOTH(exp2, 1, false), OP2_BOTH(expm1, 1, false),
    OP2_BOTH(log, 1, false), OP2_BOTH(log2, 1, false), OP2_BOTH(log10, 1, false), OP2_BOTH(log1p, 1, false),
    OP2_BOTH(sin, 1, false), OP2_BOTH(cos, 1, false), OP2_BOTH(tan, 1, false), OP2_BOTH(asin, 1, false),
    OP2_BOTH(acos, 1, false), OP2_BOTH(atan, 1, false), OP2_BOTH(atan2, 2, false), OP2_BOTH(sinh, 1, false),
    OP2_BOTH(cosh, 1, false), OP2_BOTH(tanh, 1, false), OP2_BOTH(asinh, 1, false), OP2_BOTH(acosh, 1, false),
    OP2_BOTH(atanh, 1, false), OP2_BOTH(cbrt, 1, false), OP2_BOTH(hypot, 2, false), OP2_BOTH(fmod, 2, false),
    OP2_BOTH(remainder, 2, false), OP2_BOTH(round, 1, false), OP2_BOTH(erf, 1, false), OP2_BOTH(erfc, 1, false),
    OP2_BOTH(tgamma, 1, false), OP2_BOTH(ldexp, 2, false), OP2_BOTH(scalbn, 2, false), OP2_BOTH(logb, 1, false),
    OP2_BOTH(nextafter, 2, false), OP2_ONE(lround, 1, false, true), OP2_ONE(lrint, 1, false, true),
    OP2_ONE(llround, 1, false, true), OP2_ONE(llrint, 1, false, true), OP2_ONE(labs, 1, false, true),
    OP2_ONE(llabs, 1, false, true), OP2_ONE(isnan, 1, false, true), OP2_ONE(isinf, 1, false, true),
    OP2_ONE(isfinite, 1, false, true), OP2_ONE(isnormal, 1, false, true), OP2_ONE(signbit, 1, false, true),
    // what INFINITY and the like stand for
    OP2_ONE(__builtin_inf, 0, false, true), OP2_ONE(__builtin_inff, 0, false, true),
    OP2_ONE(__builtin_huge_val, 0, false, true), OP2_ONE(__builtin_nan, 1, false, true),
    OP2_ONE(__builtin_nanf, 1, false, true)};

#undef OP2_ONE
#undef OP2_BOTH

} // namespace

const KnownFunction *known_function(std::string_view name) {
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const KnownFunction &known) { return known.name == name; });
  return found == functions.end() ? nullptr : found;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
