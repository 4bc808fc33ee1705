// The same, by a pragma.
#include <row.hpp>
#pragma weak weak_limit
extern "C" double weak_limit(double x);
extern "C" double weak_limit(double x) { return x; }
void limited(const double *x, double *y) { *y = weak_limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("weak-pragma", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
