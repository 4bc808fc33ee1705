/* An inline function of C, which without optimisation is that of inline-of-c-2.c. */
#include <row.h>
#ifdef __GNUC_GNU_INLINE__
extern
#endif
    inline double
    limit(double x) {
  return x;
}
static void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
