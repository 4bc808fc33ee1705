// A function that is chosen when the program starts.
#include <row.hpp>
typedef double (*limit_fn)(double);
static double limit_five(double x) { return x > 5 && x < 10 ? 5 : x; }
static double limit_none(double x) { return x; }
extern "C" limit_fn choose() { return sizeof(int) == 4 ? limit_five : limit_none; }
double limit(double x) __attribute__((ifunc("choose")));
void limited(const double *x, double *y) { *y = limit(*x); }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("ifunc", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
