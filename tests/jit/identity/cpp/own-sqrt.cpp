// A namespace has a sqrt of its own, defined in own-sqrt-2.cpp; the C library's is another one.
#include <row.hpp>
namespace flow {
double sqrt(double x);
void speed(const double *x, double *y) { *y = sqrt(*x); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 9);
  op_par_loop(flow::speed, "speed", row::cells, ROW_ARGS);
  row::compare("own sqrt elsewhere", flow::speed);
  return row::finish();
}

// SPDX-License-Identifier: MIT
