// A prototype in an inner namespace hides the overload outside that fits better.
#include <row.hpp>
double limit(double x) { return x; }
namespace flow {
float limit(float x); // overload-hidden-2.cpp
void limited(const double *x, double *y) { *y = limit(*x); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(flow::limited, "limited", row::cells, ROW_ARGS);
  row::compare("hidden overload", flow::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
