// The helper is weak; another object has the one that counts.
#include <row.hpp>
double limit(double x);
__attribute__((weak)) double limit(double x) { return x; }
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("weak-helper", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
