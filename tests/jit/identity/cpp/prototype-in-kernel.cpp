// A prototype inside the kernel hides the overload that fits better.
#include <row.hpp>
double limit(double x) { return x; }
float limit(float x) { return x > 5 && x < 10 ? 5 : x; }
void limited(const double *x, double *y) {
  float limit(float);
  *y = limit(*x);
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("prototype in kernel", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
