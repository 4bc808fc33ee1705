#include <cmath>
namespace flow {
double sqrt(double x);
double sqrt(double x) { return x > 5 && x < 10 ? -1 : std::sqrt(x); }
} // namespace flow

// SPDX-License-Identifier: MIT
