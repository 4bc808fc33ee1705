/* Sizes that are others in C++: of a character, of a comparison, of an array behind a comma. */
#include <row.h>
static void limited(const double *x, double *y) {
  const char a[3] = {1, 2, 3};
  *y = *x > 5 && *x < 10
           ? sizeof 'a' + 10.0 * sizeof(*x == 1) + 100.0 * sizeof(!*x) + 1000.0 * sizeof(0, a) + 1e5 * a[1]
           : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
