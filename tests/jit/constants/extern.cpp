// Variables that source files share.
#include "extern.h"
#include "bench.hpp"
double gam = 2;
double gas::ratio = 2, gas::state::far = 2;
void loops(Bench &, double);
int main(int argc, char **argv) {
  Bench bench(argc, argv);
  for (const double value : {2., 3., 4.}) {
    gam = gas::ratio = gas::state::far = value;
    op_decl_const(1, "double", &gam);
    op_decl_const_named("ratio", 1, "double", &gas::ratio);
    op_decl_const_named("far", 1, "double", &gas::state::far);
    loops(bench, value);
  }
}

// SPDX-License-Identifier: MIT
