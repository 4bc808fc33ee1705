/* Functions without prototypes: their arguments are promoted, and one returns int since nobody says otherwise. */
#include <row.h>
static double scale(v, n) float v; char n; { return v / 3 + n; }
static void limited(const double *x, double *y) {
  *y = *x > 5 && *x < 10 ? scale(*x, 300) + undeclared((int)*x) : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
