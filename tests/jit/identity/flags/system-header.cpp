// A header of the program's own that says it is one of the system.
#include "system-header.hpp"
#include <row.hpp>
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("system header", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
