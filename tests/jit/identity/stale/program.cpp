// A program whose files are edited: kernel, helper in a header, a literal, a macro by -D.
#include <cstdlib>
#include <row.hpp>
#include "helper.hpp"
#ifndef SCALE
#define SCALE 1
#endif
static const double until = 10;
void limited(const double *x, double *y) { *y = *x > 5 && *x < until ? limit(*x) * SCALE + 0.5 : *x; }
int main(int argc, char **argv) {
  if (argc > 1 && std::system(argv[1]) != 0) return 3; // what happens while the program runs
  row::start(1, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("limited", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
