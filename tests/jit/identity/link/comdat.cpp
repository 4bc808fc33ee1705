// An inline function is compiled in two files with other flags; the linker keeps that of the first one.
#include "comdat.hpp"
#include <row.hpp>
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("comdat", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
