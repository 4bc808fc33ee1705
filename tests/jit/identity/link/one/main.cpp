// One of two files of the same name in two folders.
#include <row.hpp>
void second_step();
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("first main.cpp", limited);
  second_step();
  return row::finish();
}

// SPDX-License-Identifier: MIT
