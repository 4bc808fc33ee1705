// The helper is an alias of another function; an overload has a body under its name.
#include <row.hpp>
extern "C" double limit_five(double x) { return x > 5 && x < 10 ? 5 : x; }
double limit(double x) __attribute__((alias("limit_five")));
float limit(float x) { return x; }
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("alias", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
