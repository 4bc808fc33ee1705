/* Arrays of variable length, and parameters with static. */
#include <row.h>
static double sum(int n, const double a[static 3]) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  return s;
}
static void limited(const double x[static 1], double y[restrict static 1]) {
  const int n = *x > 5 && *x < 10 ? 4 : 3;
  double a[n], (*whole)[n] = &a;
  for (int i = 0; i < n; ++i) a[i] = i + *x;
  *y = sum(n, a) + sizeof a + sizeof *whole;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
