#pragma GCC system_header
#ifndef MOST
#define MOST 6
#endif
inline double limit(double x) { return x > 5 && x < 10 ? MOST : x; }

// SPDX-License-Identifier: MIT
