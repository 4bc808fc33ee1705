/* A range function made by OP_RANGE_FN, whose kernel is a macro for another one. */
#include <row.h>
static void first_order(const double *x, double *y) { *y = *x; }
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
OP_RANGE_FN(limited_range, limited(OP_DIRECT(0, const double, 1), OP_DIRECT(1, double, 1)))
#define first_order limited
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop_range(first_order, limited_range, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
