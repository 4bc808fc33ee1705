// NaN and zeros with a sign: the order of std::max's arguments, negated comparisons, 1 / -0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <row.hpp>
void limited(const double *x, double *y) {
  const double v = *x > 5 && *x < 10 ? std::numeric_limits<double>::quiet_NaN() : *x;
  const double zero = v < 2 ? -0.0 : 0.0;
  *y = (std::isnan(std::max(v, 1.5)) ? 1 : 2) + (std::isnan(std::max(1.5, v)) ? 10 : 20) + std::fmax(v, 1.25) * 100 +
       (!(v < 5) ? 1000 : 2000) + (v != v ? 10000 : 0) + std::min(1 / zero, 1e6) + (std::signbit(zero) ? 0.5 : 0);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("not a number", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
