/* Initialisers by name, out of order, for parts of arrays, and compound literals. */
#include <row.h>
struct limits {
  double most, least, table[4];
};
static void limited(const double *x, double *y) {
  const struct limits l = {.least = 2, .table = {[2] = 4, [0] = 3}, .most = 5, .table[1] = 7};
  const double *more = (const double[]){[1] = l.table[2], [0] = 1};
  *y = (*x > l.most && *x < 10 ? l.most : *x) + l.table[0] + 10 * l.table[1] + more[1] * 100 +
       ((struct limits){.least = 6}).least;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
