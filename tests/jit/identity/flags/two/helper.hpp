#pragma once
#ifndef LIMIT
#define LIMIT 6
#endif
inline double limit(double x) { return x > 5 && x < 10 ? LIMIT : x; }

// SPDX-License-Identifier: MIT
