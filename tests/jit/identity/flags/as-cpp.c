// Compiled as C++ in spite of its name.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? sizeof 'a' + 10 * sizeof(1 == 1) : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("C as C++", limited);
  return row::finish();
}

/* SPDX-License-Identifier: MIT */
