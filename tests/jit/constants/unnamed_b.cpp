#include "bench.hpp"
namespace {
double gam = 3;
}
static void scale_b(const double *x, double *y) { *y = gam * *x; }
void set_b(double value) {
  gam = value;
  op_decl_const(1, "double", &gam);
}
void loop_b(Bench &bench) { LOOP(scale_b, "scale_b", bench); }

// SPDX-License-Identifier: MIT
