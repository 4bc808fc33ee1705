// Half of a program; the other half is plain-kernel.cpp.
#include <row.hpp>
void other_step();
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  other_step();
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("this half", limited);
  other_step();
  return row::finish();
}

// SPDX-License-Identifier: MIT
