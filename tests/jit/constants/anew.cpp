// The variable is declared, then its new value from other memory, then the variable again.
#include "bench.hpp"
static double gam = 2;
static struct {
  double first, second;
} values;
static void flux(const double *x, double *y) { *y = gam * *x; }
int main(int argc, char **argv) {
  Bench bench(argc, argv);
  const auto loop = [&](const char *what, double value) {
    LOOP(flux, "flux", bench);
    bench.want(what, value);
  };
  op_decl_const(1, "double", &gam);
  loop("at first", 2);
  const double local = gam = 3;
  op_decl_const_named("gam", 1, "double", &local);
  loop("from the stack", 3);
  values.second = gam = 4;
  op_decl_const_named("gam", 1, "double", &values.second);
  loop("from a member", 4);
  gam = 5;
  op2::constant("gam", gam);
  loop("from the variable", 5);
  LOOP(flux, "flux anew", bench);
  bench.want("anew", 5);
}

// SPDX-License-Identifier: MIT
