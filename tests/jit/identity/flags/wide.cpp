// long double, and double in registers of another width.
#include <row.hpp>
void limited(const double *x, double *y) {
  const long double v = static_cast<long double>(*x) / 3;
  *y = static_cast<double>((v - static_cast<double>(v)) * 1e18L) + sizeof(long double) * 1000;
}
void excess(const double *x, double *y) { *y = *x * 1e308 / 1e308 + (*x / 3 == static_cast<double>(*x / 3) ? 1 : 2); }
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 7);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("long double", limited);
  op_par_loop(excess, "excess", row::cells, ROW_ARGS);
  row::compare("excess", excess);
  return row::finish();
}

// SPDX-License-Identifier: MIT
