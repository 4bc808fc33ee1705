// The kernel itself is weak, and another object has it as well.
#include <row.hpp>
void limited(const double *x, double *y);
__attribute__((weak)) void limited(const double *x, double *y) { *y = *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("weak-kernel", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
