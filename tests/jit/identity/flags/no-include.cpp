// The helper and its macro come from a file that only the command line names.
#include <row.hpp>
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("-include", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
