// Kernels whose code is the same and may be folded into one; they read constants of other names.
#include <row.hpp>
double most = 5, least = 6;
void first(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
void second(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
void third(const double *x, double *y) { *y = *x > 5 && *x < 10 ? most : *x; }
void fourth(const double *x, double *y) { *y = *x > 5 && *x < 10 ? least : *x; }
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_decl_const(1, "double", &most);
  op_decl_const(1, "double", &least);
  void (*const kernels[])(const double *, double *) = {first, second, third, fourth};
  for (auto kernel : kernels) {
    op_par_loop(kernel, "pointer", row::cells, ROW_ARGS);
    row::compare("pointer", kernel);
  }
  op_par_loop(second, "second", row::cells, ROW_ARGS);
  row::compare("second", second);
  op_par_loop(fourth, "fourth", row::cells, ROW_ARGS);
  row::compare("fourth", fourth);
  return row::finish();
}

// SPDX-License-Identifier: MIT
