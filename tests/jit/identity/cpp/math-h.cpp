// <math.h> of the C++ library makes sqrt of a float one of float; a block with its own using does so, too.
#include <math.h>
#include <row.hpp>
void plain(const float *x, double *y) { *y = *x > 5 && *x < 10 ? sqrt(*x) + fabs(*x / 3) + cbrt(*x) : *x; }
void by_using(const float *x, double *y) {
  using std::sqrt;
  *y = *x > 5 && *x < 10 ? sqrt(*x) + ::sqrt(static_cast<double>(*x)) : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 7);
  op_par_loop(plain, "plain", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("math.h", plain);
  op_par_loop(by_using, "by_using", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("using std::sqrt", by_using);
  return row::finish();
}

// SPDX-License-Identifier: MIT
