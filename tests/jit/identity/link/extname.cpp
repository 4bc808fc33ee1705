// A pragma gives a function the symbol of another one.
#include <row.hpp>
#pragma redefine_extname limit limit_five
extern "C" double limit(double x);
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("extname", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
