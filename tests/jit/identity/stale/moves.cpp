// Two kernels that change places in another build of the program, so that each is at the address of the other.
#include <row.hpp>

#include <cstdlib>
#include <unistd.h>
#ifndef LEAVES
#define LEAVES 0
#endif
#define ONE \
  __attribute__((noinline)) void one(const double *x, double *y) { *y = *x == 7 ? 1 : *x + 1; }
#define TWO \
  __attribute__((noinline)) void two(const double *x, double *y) { *y = *x == 7 ? 2 : *x + 1; }
#ifdef SWAPPED
TWO ONE
#else
ONE TWO
#endif
int main(int argc, char **argv) {
  row::start(argc, argv);
  if (LEAVES != 0) return 1;
  op_par_loop(one, "one", row::cells, ROW_ARGS);
  row::compare("one", one);
  op_par_loop(two, "two", row::cells, ROW_ARGS);
  row::compare("two", two);
  return row::finish();
}

// SPDX-License-Identifier: MIT
