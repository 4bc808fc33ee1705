// Functions of <cmath>: sqrt of a float without std:: is that of C in double, with std:: that of float.
#include <cmath>
#include <row.hpp>
void plain(const float *x, double *y) {
  *y = *x > 5 && *x < 10 ? sqrt(*x) + fabs(*x) + floor(*x / 3) + exp(*x / 64) : *x;
}
void with_std(const float *x, double *y) {
  *y = *x > 5 && *x < 10 ? std::sqrt(*x) + std::fabs(*x) + std::floor(*x / 3) + std::exp(*x / 64) : *x;
}
void mixed(const float *x, double *y) {
  *y = *x > 5 && *x < 10 ? std::pow(*x, 0.5) + std::fmax(*x, 1.1) + std::fmod(*x, 0.3f) + std::hypot(*x, 1) : *x;
}
int main(int argc, char **argv) {
  row::start(argc, argv, 1, 16, 7);
  op_par_loop(plain, "plain", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("without std::", plain);
  op_par_loop(with_std, "with_std", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("with std::", with_std);
  op_par_loop(mixed, "mixed", row::cells, ROW_X(float), ROW_Y(double));
  row::compare<double, float>("mixed types", mixed);
  return row::finish();
}

// SPDX-License-Identifier: MIT
