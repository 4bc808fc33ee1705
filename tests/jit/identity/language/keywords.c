/* Names that are keywords in C++. */
#include <row.h>
struct class { double new, this; };
static double template(double private) { return private > 5 && private < 10 ? 5 : private; }
static void limited(const double *virtual, double *operator) {
  const struct class public = {template(*virtual), 2};
  double and = public.new, or = public.this, typename = 3;
  *operator = and + or * typename;
}
int main(int argc, char **argv) {
  row_start(argc, argv, 1, 20, 7);
  op_par_loop(limited, "limited", row_cells, ROW_X(double), ROW_Y);
  ROW_COMPARE(limited, double);
  return row_finish();
}

/* SPDX-License-Identifier: MIT */
