#include <op2/op2.h>
#include <stdio.h>

static void twice(double *value) {
  *value *= 2;
}

void all_loops_are_done(void) {
  puts("done");
  fflush(stdout);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set cells = op_decl_set(1000, "cells");
  static double threes[1000];
  for (int n = 0; n < 1000; ++n) threes[n] = 3;
  op_dat values = op_decl_dat(cells, 1, "double", threes, "values");
  for (int n = 0; n < 3; ++n) op_par_loop(twice, "double_it", cells, op_arg_dat(values, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(values, threes);
  all_loops_are_done();
  op_exit();
  return threes[7] != 24;
}

/* SPDX-License-Identifier: MIT */
