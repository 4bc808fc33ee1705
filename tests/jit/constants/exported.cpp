// Libraries that share one variable, since both export it.
#include "bench.hpp"
void set_a(double), set_b(double), loop_a(Bench &), loop_b(Bench &);
int main(int argc, char **argv) {
  Bench bench(argc, argv);
  set_a(2);
  loop_a(bench);
  bench.want("a", 2);
  set_b(3);
  loop_b(bench);
  bench.want("b", 3);
  loop_a(bench);
  bench.want("a again", 3);
  set_a(5);
  loop_b(bench);
  bench.want("b again", 5);
  loop_a(bench);
  bench.want("a with another value", 5);
}

// SPDX-License-Identifier: MIT
