// Constants that only look as if they never change: a reference to a variable, and what a pointer leads to.
#include <row.hpp>
static double limit = 20;
static const double &most = limit;
static const double *const most_too = &limit;
void limited(const double *x, double *y) { *y = *x > most && *x < 10 ? most : *x; }
void limited_too(const double *x, double *y) { *y = *x > *most_too && *x < 10 ? *most_too : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  limit = argc > 100 ? 6 : 5;
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("reference", limited);
  op_par_loop(limited_too, "limited_too", row::cells, ROW_ARGS);
  row::compare("pointer", limited_too);
  return row::finish();
}

// SPDX-License-Identifier: MIT
