// chosen WHICH: another variable than the kernel's is declared under its name.
#include "bench.hpp"
#include <cstring>
static double gam = 2;
double *other_gam(); // of chosen_other.cpp
struct {
  double first, second;
} values = {2, 2};
static void flux(const double *x, double *y) { *y = gam * *x; }
int main(int argc, char **argv) {
  const char *const which = argc > 1 ? argv[1] : "own";
  Bench bench(1, argv);
  double local = 2, &declared = !strcmp(which, "own")     ? gam
                                : !strcmp(which, "other") ? *other_gam()
                                : !strcmp(which, "member") ? values.second
                                                           : local;
  const auto loop = [&](const char *what, double value) {
    LOOP(flux, "flux", bench);
    bench.want(what, value);
  };
  op_decl_const_named("gam", 1, "double", &declared);
  loop("at first", 2);
  declared = 7;
  op_decl_const_named("gam", 1, "double", &declared);
  loop("with another value", gam);
}

// SPDX-License-Identifier: MIT
