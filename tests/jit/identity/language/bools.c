/* _Bool keeps one bit; a type called boolean does not, and bool is whatever a macro says. */
#include <row.h>
typedef unsigned char boolean;
#define bool int
static void limited(const double *x, double *y) {
  const _Bool one = (int)*x & 6;
  const boolean six = (int)*x & 6;
  const bool also = (int)*x & 6;
  const _Bool half = *x / 14 > 0.4 ? 0.5 : 0.0;
  *y = one + 10.0 * six + 100.0 * also + 1000.0 * half + 1e4 * sizeof(bool);
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
