/* A constant whose value is in another file. */
#include <row.h>
extern const double most; /* const-elsewhere-2.c */
static void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
