// The kernel's name is a macro by now; the function of that name is another one.
#include <row.hpp>
void limited(const double *x, double *y) { *y = *x; }
void second_order(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
#define limited second_order
#define STEP(kernel) op_par_loop(kernel, "by a macro", row::cells, ROW_ARGS)
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("macro", limited);
  STEP(limited);
  row::compare("through a macro", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
