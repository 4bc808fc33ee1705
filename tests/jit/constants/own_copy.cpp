// Each source file has its own variable of the header; only this one declares it.
#include "own_copy.h"
#include "bench.hpp"
void loop_flux(Bench &);
int main(int argc, char **argv) {
  Bench bench(argc, argv);
  op_decl_const(1, "double", &gam);
  loop_flux(bench);
  bench.want("at first", 1.5);
  gam = 4;
  op_decl_const(1, "double", &gam);
  loop_flux(bench);
  bench.want("after the other file's variable changed", 1.5);
}

// SPDX-License-Identifier: MIT
