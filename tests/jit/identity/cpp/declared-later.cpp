// An overload that is declared after the kernel does not take part, though it fits better.
#include <row.hpp>
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
void limited(const float *x, double *y) { *y = limit(*x); }
float limit(float x) { return x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("declared later", limited);
  const float f = limit(row::columns<float>::x[0]);
  return row::finish() + (f > 1e9f);
}

// SPDX-License-Identifier: MIT
