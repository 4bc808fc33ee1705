/* Enums are integers: sums, increments, values that have no name. */
#include <row.h>
enum kind { low = 1, high = 5 };
static void limited(const double *x, double *y) {
  enum kind k = low;
  k += 3;
  k++;
  k = k | 8;
  *y = *x > 5 && *x < 10 ? k + 100.0 * (k - high) + 1000.0 * sizeof(low) : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
