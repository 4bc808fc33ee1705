// Literals of all types: float, long double, hexadecimal, with separators; arithmetic in their types.
#include <row.hpp>
void limited(const double *x, double *y) {
  const float third = 1.f / 3;
  const long double wide = 1.L / 3 + static_cast<long double>(*x);
  *y = (*x > 5 && *x < 10 ? 0.1f : 0.1) + third +
       static_cast<double>((wide - static_cast<long double>(*x)) * 3 - 1.L) * 1e19 + 0x1.8p1 + 1'000.5 + 1e-3f +
       static_cast<float>(*x) * 0.1f + static_cast<float>(*x) * 0.1;
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("literals", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
