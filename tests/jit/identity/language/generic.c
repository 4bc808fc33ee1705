/* sqrt by <tgmath.h>, _Generic, and the types of literals. */
#include <row.h>
#include <tgmath.h>
#define KIND(v) _Generic((v), int : 1, char : 2, double : 3, float : 4, default : 5)
static void limited(const float *x, double *y) {
  *y = *x > 5 && *x < 10 ? sqrt(*x) + 10 * KIND(*x) + 100 * KIND('a') + 1000 * KIND(*x > 1) + 1e4 * KIND(*x * 1.0) : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(float), ROW_Y);
  ROW_COMPARE(limited, float);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
