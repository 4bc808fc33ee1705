#include "bench.hpp"
static float gam = 3;
static void scale_b(const double *x, double *y) { *y = gam * *x; }
void set_b(double value) {
  gam = static_cast<float>(value);
  op_decl_const(1, "float", &gam);
}
void loop_b(Bench &bench) { LOOP(scale_b, "scale_b", bench); }

// SPDX-License-Identifier: MIT
