// Quotients and sums whose last bits depend on what the compiler may do with them.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x / 7.3 + 0.1; }
void single(const float *x, double *y) { *y = *x * 0.1 + 0.3; }
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 7);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("quotient", limited);
  op_par_loop(single, "single", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("constants", single);
  return row::finish();
}

// SPDX-License-Identifier: MIT
