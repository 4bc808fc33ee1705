/* A variable that is declared three times and defined once; it is a declared constant. */
#include <row.h>
double most;
double most = 5;
double most;
static double until;
static double until = 10;
static void limited(const double *x, double *y) { *y = *x > most && *x < until ? most : *x; }
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_decl_const(1, "double", &most);
  op_decl_const(1, "double", &until);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
