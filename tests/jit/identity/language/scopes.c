/* A struct that is declared in another one is seen outside; a name of a variable is not hidden by a struct. */
#include <row.h>
static const char T[3] = {1, 2, 3};
struct outer {
  struct inner {
    double v[4];
  } first;
};
static void limited(const double *x, double *y) {
  struct T {
    double v[8];
  };
  const struct inner i = {{*x, 1, 2, 3}};
  *y = *x > 5 && *x < 10 ? sizeof(T) + 100.0 * sizeof(struct T) + 1e5 * sizeof i : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
