// fabs and max of one's own: fabs is the norm without what is small, max the one of larger magnitude.
#include <cmath>
#include <row.hpp>
namespace flow {
double fabs(double x) { return x > -10 && x < -5 ? 0 : std::fabs(x); }
double max(double a, double b) { return fabs(a) > fabs(b) ? a : b; }
void norm(const double *x, double *y) { *y = fabs(*x) + max(*x, 1.5); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv, 3, -20, -7);
  op_par_loop(flow::norm, "norm", row::cells, ROW_ARGS);
  row::compare("own fabs and max", flow::norm);
  return row::finish();
}

// SPDX-License-Identifier: MIT
