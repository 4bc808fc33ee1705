// The kernel is an expression: a choice, a cast of an overloaded name, an element of a table.
#include <row.hpp>
using kernel_fn = void (*)(const double *, double *);
static void first(const double *x, double *y) { *y = *x; }
static void second(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
static void limited(const float *x, float *y) { *y = *x; }
static void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop((argc > 100 ? first : second), "choice", row::cells, ROW_ARGS);
  row::compare("a choice", second);
  op_par_loop(static_cast<kernel_fn>(limited), "cast", row::cells, ROW_ARGS);
  row::compare("a cast", static_cast<kernel_fn>(limited));
  kernel_fn table[] = {first, second};
  op_par_loop(table[argc > 100 ? 0 : 1], "table", row::cells, ROW_ARGS);
  row::compare("a table", second);
  limited(&row::columns<float>::x[0], &row::columns<float>::x[1]);
  return row::finish();
}

// SPDX-License-Identifier: MIT
