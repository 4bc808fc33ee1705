// The same with its body in view.
#include <cmath>
#include <row.hpp>
namespace flow {
inline double sqrt(double x) { return x > 5 && x < 10 ? -1 : std::sqrt(x); }
void speed(const double *x, double *y) { *y = sqrt(*x); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 9);
  op_par_loop(flow::speed, "speed", row::cells, ROW_ARGS);
  row::compare("own sqrt", flow::speed);
  return row::finish();
}

// SPDX-License-Identifier: MIT
