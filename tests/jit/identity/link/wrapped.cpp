// The linker puts another function in the place of the helper.
#include <row.hpp>
extern "C" double limit_five(double x);
void limited(const double *x, double *y) { *y = limit_five(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("wrapped", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
