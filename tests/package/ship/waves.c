/* waves.c: a C program whose kernel means something else in C++: there, sqrt() of a float is computed in float, and abs()
 * of a double is one. Here the first is computed in double, and the second cuts to int. */
#include <math.h>
#include <op2/op2.h>
#include <stdlib.h>

enum { SIZE = 1000 };

static float height(float x) { return (float)(sqrt(x) * 3.0); }

static void wave(const float *x, const double *y, float *h, double *cut) {
  *h = height(*x);
  *cut = abs(*y);
}

int main(int argc, char **argv) {
  static float x[SIZE], h[SIZE], expected_h;
  static double y[SIZE], cut[SIZE], expected_cut;
  int wrong = 0, other = 0;

  if (op_init(argc, argv, 1) != OP_OK) return 2;
  for (int n = 0; n < SIZE; ++n) {
    x[n] = 1.0f + (float)n / 7.0f;
    y[n] = (n % 2 ? 0.25 : -0.25) * n;
  }
  op_set points = op_decl_set(SIZE, "points");
  op_dat on_x = op_decl_dat(points, 1, "float", x, "x"), on_h = op_decl_dat(points, 1, "float", h, "h");
  op_dat on_y = op_decl_dat(points, 1, "double", y, "y"), on_cut = op_decl_dat(points, 1, "double", cut, "cut");
  op_par_loop(wave, "wave", points, op_arg_dat(on_x, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(on_y, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(on_h, -1, OP_ID, 1, "float", OP_WRITE),
              op_arg_dat(on_cut, -1, OP_ID, 1, "double", OP_WRITE));

  if (op_fetch_data(on_h, h) != OP_OK || op_fetch_data(on_cut, cut) != OP_OK) return 3;
  for (int n = 0; n < SIZE; ++n) {
    wave(&x[n], &y[n], &expected_h, &expected_cut);
    wrong += h[n] != expected_h || cut[n] != expected_cut;
    other += expected_h != sqrtf(x[n]) * 3.0f && expected_cut != fabs(y[n]); /* it makes a difference */
  }
  op_printf("waves: %d points, %d wrong, C and C++ differ in %d\n", SIZE, wrong, other);
  op_exit();
  return wrong || !other ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
