// A static variable that nobody declares to the library and that changes between the loops.
#include <row.hpp>
static double most = 20;
void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  for (int n = 0; n < 3; ++n) {
    op_par_loop(limited, "limited", row::cells, ROW_ARGS);
    row::compare("variable", limited);
    most = 5 + n;
  }
  return row::finish();
}

// SPDX-License-Identifier: MIT
