/* abs of a double is that of int, which cuts off; C++ would choose by type. */
#include <math.h>
#include <row.h>
#include <stdlib.h>
static void limited(const double *x, double *y) { *y = abs(*x * 0.25 - 1) + labs(*x); }
int main(int argc, char **argv) {
  row_start(argc, argv, 4, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
