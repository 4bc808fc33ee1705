/* cbrt is the program's own, in another file; the C library has one as well. */
#include <math.h>
#include <row.h>
static void limited(const double *x, double *y) { *y = cbrt(*x); }
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 27, 8);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
