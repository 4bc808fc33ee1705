// abs: of C and of int without std:: (it cuts off), of the type with std::.
#include <cmath>
#include <cstdlib>
#include <row.hpp>
void plain(const double *x, double *y) { *y = abs(static_cast<int>(*x)) + ::labs(static_cast<long>(*x)); }
void of_double(const double *x, double *y) { *y = abs(*x); }
void with_std(const double *x, double *y) { *y = std::abs(*x) + std::abs(static_cast<int>(*x)) + std::abs(-1.5f); }
int main(int argc, char **argv) {
  row::start(argc, argv, 1, -20, -7.75);
  op_par_loop(plain, "plain", row::cells, ROW_ARGS);
  row::compare("abs of int", plain);
  op_par_loop(of_double, "of_double", row::cells, ROW_ARGS);
  row::compare("abs of double", of_double);
  op_par_loop(with_std, "with_std", row::cells, ROW_ARGS);
  row::compare("std::abs", with_std);
  return row::finish();
}

// SPDX-License-Identifier: MIT
