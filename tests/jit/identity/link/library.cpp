// A library with a loop: its kernel and its helper can be seen from outside, unless HIDDEN. MOST: its number.
#include <cstdio>
#include <op2/op2.hpp>
#ifdef HIDDEN
#define SEEN __attribute__((visibility("hidden")))
#else
#define SEEN
#endif
SEEN double limit(double x);
SEEN void limited(const double *x, double *y);
double limit(double x) { return x > 5 && x < 10 ? MOST : x; }
void limited(const double *x, double *y) { *y = limit(*x); }
#ifndef STEP
#define STEP library_step
#endif
extern "C" __attribute__((visibility("default"))) int STEP(op_set cells, op_dat in, op_dat out, int count,
                                                           const double *x, double *y);
extern "C" int STEP(op_set cells, op_dat in, op_dat out, int count, const double *x, double *y) {
  op_par_loop(limited, "limited", cells, op_arg_dat(in, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
  op_fetch_data(out, y);
  int different = 0, at = 1731;
  double told = 0;
  for (int n = 0; n < count; ++n) {
    double want;
    limited(&x[n], &want);
    if (n == at) told = want;
    different += !(y[n] == want);
  }
  std::printf("library at %p: op_par_loop %g, the compiled kernel %g   %s\n", reinterpret_cast<void *>(&STEP), y[at],
              told, different == 0 ? "same" : "WRONG");
  return different != 0;
}

// SPDX-License-Identifier: MIT
