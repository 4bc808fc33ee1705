/* What differs between the standards of C: the macro, comments, inline. */
#include <row.h>
static void limited(const double *x, double *y) {
  double v = *x //* two */ 2
      ;
#ifdef __STDC_VERSION__
  v += (double)(__STDC_VERSION__ - 199000L);
#endif
#ifdef __GNUC_GNU_INLINE__
  v += 0.5;
#endif
#ifdef __STRICT_ANSI__
  v += 0.25;
#endif
  *y = *x > 5 && *x < 10 ? v : *x;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
