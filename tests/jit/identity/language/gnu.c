/* What only the GNU compiler knows: nested functions, statement expressions, ranges of cases, ?:, typeof. */
#include <row.h>
static void limited(const double *x, double *y) {
  auto double limit(double v) { return v > 5 && v < 10 ? *x - 2 : v; }
  __typeof__(*x + 1) v = ({ double t = limit(*x); t + 1; });
  switch ((int)*x) {
    case 2 ... 6: v += 10; break;
    case 7 ... 9: v += 20; break;
    default: v += 30;
  }
  *y = v + ((int)*x - 7 ?: 100);
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
