// A part that is compiled without text, with a static kernel; the text of half.cpp has one of the same name.
#include <row.hpp>
void other_step();
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }
void other_step() {
  op_par_loop(limited, "other", row::cells, ROW_ARGS);
  row::compare("the other half", limited);
}

// SPDX-License-Identifier: MIT
