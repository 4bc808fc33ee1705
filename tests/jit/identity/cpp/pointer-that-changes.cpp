// The kernel is a variable, which changes between two runs of the same loop, and has the name of a function.
#include <row.hpp>
using kernel_fn = void (*)(const double *, double *);
namespace flow {
void limited(const double *x, double *y) { *y = *x; }
} // namespace flow
static void first(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
static void second(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  for (int n = 0; n < 4; ++n) {
    kernel_fn limited = n % 2 == 0 ? first : second;
    op_par_loop(limited, "limited", row::cells, ROW_ARGS);
    row::compare("pointer", limited);
  }
  flow::limited(&row::columns<double>::x[0], &row::columns<double>::x[0]);
  return row::finish();
}

// SPDX-License-Identifier: MIT
