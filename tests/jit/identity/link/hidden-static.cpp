// The helper is in another file, which has its own; a third file has a static one of the same name.
#include <row.hpp>
double limit(double x);
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("hidden-static", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
