#include "bench.hpp"
namespace {
double gam = 2;
}
static void scale_a(const double *x, double *y) { *y = gam * *x; }
void set_a(double value) {
  gam = value;
  op_decl_const(1, "double", &gam);
}
void loop_a(Bench &bench) { LOOP(scale_a, "scale_a", bench); }

// SPDX-License-Identifier: MIT
