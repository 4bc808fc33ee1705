// exp is that of a library that is loaded before the C library.
#include <cmath>
#include <row.hpp>
void limited(const double *x, double *y) { *y = std::exp(*x > 5 && *x < 10 ? *x - 6.75 : *x * 0); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("math-elsewhere", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
