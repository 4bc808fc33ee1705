/* void pointers become others without a cast. */
#include <row.h>
static const void *any(const void *p) { return p; }
static void limited(const double *x, double *y) {
  const double *value = any(x);
  void *to = y;
  double *result = to;
  *result = *value > 5 && *value < 10 ? 5 : *value;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
