// A kernel with a helper, nothing else.
#include <row.hpp>
static inline double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("plain", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
