/* A variable in the body of a loop may have the name of the one that counts. */
#include <row.h>
static void limited(const double *x, double *y) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    int i = 5;
    sum += i++;
  }
  *y = *x > 5 && *x < 10 ? sum : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
