// The helper's default argument is that of the prototype in the kernel, not that of the one outside.
#include <row.hpp>
double limit(double x, double most = 10);
void limited(const double *x, double *y) {
  double limit(double x, double most = 5);
  *y = limit(*x);
}
double limit(double x, double most) { return x > most && x < 10 ? most : x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("default argument", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
