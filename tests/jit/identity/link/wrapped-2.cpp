extern "C" double __wrap_limit_five(double x);
extern "C" double __wrap_limit_five(double x) { return x > 5 && x < 10 ? 6 : x; }

// SPDX-License-Identifier: MIT
