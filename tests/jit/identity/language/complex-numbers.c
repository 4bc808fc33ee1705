/* Complex numbers, which C++ writes otherwise. */
#include <complex.h>
#include <row.h>
static void limited(const double *x, double *y) {
  const double _Complex z = *x + 2.0 * I;
  *y = *x > 5 && *x < 10 ? creal(z * z) + cimag(z) : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
