// The other one, with its loop in the same line.
#include <row.hpp>
void second_step();
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }

void second_step() {
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("second main.cpp", limited);
}

// SPDX-License-Identifier: MIT
