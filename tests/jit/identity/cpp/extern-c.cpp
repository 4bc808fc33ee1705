// A kernel with C linkage, and one of a namespace that would be the same symbol without.
#include <row.hpp>
namespace flow {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 6 : *x; }
} // namespace flow
extern "C" {
static double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
void limited(const double *x, double *y) { *y = limit(*x); }
}
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(flow::limited, "flow", row::cells, ROW_ARGS);
  row::compare("of a namespace", flow::limited);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("C linkage", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
