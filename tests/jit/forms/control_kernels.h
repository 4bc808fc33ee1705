// Kernels with branches, loops, helpers and constants.
#ifndef CONTROL_KERNELS_H
#define CONTROL_KERNELS_H
#include <cmath>

#define GAMMA 1.4
static const double limits_of[3] = {-0.5, 0.25, 1.75};
enum sides { left_side = 1, right_side = 4 };

extern double c_scale, c_array[3];
extern int c_kind;
extern float c_single;
extern double c_one[1];

static inline double square(double x) { return x * x; }
static inline void swap_values(double *a, double *b) {
  const double t = *a;
  *a = *b;
  *b = t;
}
static inline int side_of(double x) { return x < limits_of[1] ? left_side : right_side; }

static inline void branches(const double *x, const int *i, double *out, int *which) {
  double a = x[0], b = x[1];
  if (a > b) swap_values(&a, &b);
  if (a < 0 && b > 0) {
    out[0] = square(a) + GAMMA;
    which[0] = 1;
  } else if (a >= 0) {
    out[0] = a * b;
    which[0] = 2;
    if (i[0] > 250) which[0] = -2;
  } else {
    out[0] = limits_of[0];
    which[0] = 3;
  }
  which[1] = side_of(x[0]) + (i[0] % 2 == 0 ? 10 : 20);
  out[1] = x[0] < limits_of[2] && !(x[1] > 0.5) ? x[0] : x[1];
}
static inline void returns_early(const double *x, double *out, double *y) {
  if (x[0] < -1) return;
  out[0] = x[0];
  if (x[1] < 0) {
    y[0] += x[1];
    return;
  }
  out[1] = x[0] / x[1];
  y[1] += x[0];
}
// Each element repeats for as long as it needs.
static inline void iterates(const double *x, double *root, int *steps) {
  const double a = x[0] < 0 ? -x[0] : x[0];
  double r = a > 1 ? a : 1;
  int n = 0;
  while (r * r - a > 1e-13 * a && n < 60) {
    r = 0.5 * (r + a / r);
    n++;
  }
  root[0] = r;
  steps[0] = n;
  for (int k = 0; k < 8; ++k) {
    if (x[1] > 0.25 * k) continue;
    if (k == 6 && x[0] > 0) break;
    steps[0] += k;
  }
}
// What a lane that is switched off computes must not trap.
static inline void divides(const int *a, const int *b, int *out, unsigned *u) {
  if (b[0] != 0)
    out[0] = a[0] / b[0] + a[0] % b[0];
  else
    out[0] = -1;
  u[0] = b[0] > 0 ? (unsigned)a[0] % (unsigned)b[0] : 0u;
  out[1] = ((a[0] << 3) ^ ((a[0] >> 2) & b[0])) | ~a[0];
  u[1] = ((unsigned)a[0] >> 5) * 2654435761u;
}
static inline void floats(const float *x, const int *i, float *out) {
  out[0] = x[0] * 0.1f + x[1] / 3;
  out[1] = (float)(x[0] * 0.1);
  out[2] = x[0] > x[1] ? (float)i[0] : x[0];
  out[3] = std::sqrt(x[0] * x[0] + 1.0f) - std::fabs(x[1]);
}
static inline void functions(const double *x, double *out) {
  const double a = fabs(x[0]) + 0.5;
  out[0] = sqrt(a) + std::pow(a, 1.5);
  out[1] = std::exp(-a) * std::log(a) + sin(x[1]) - cos(x[0]);
  out[2] = std::fmin(x[0], x[1]) + fmax(x[0], 0.0) + floor(x[1]) - ceil(x[0]);
  out[3] = std::copysign(a, x[1]) + std::cbrt(a) + tanh(x[0]) + atan2(x[0], x[1]);
}
static inline void on_special(const double *x, double *out, int *class_of) {
  class_of[0] = (x[0] < 0) + 2 * (x[0] == x[0]) + 4 * (x[0] > x[1]) + 8 * (x[0] != x[1]);
  out[0] = x[0] < x[1] ? x[0] : x[1];
  out[1] = x[0] * x[1] - x[0];
  out[2] = x[0] / x[1];
  out[3] = std::sqrt(x[0]);
  if (x[1] > 0) out[4] = -x[0];
}

static inline void with_constants(const double *x, double *out) {
  out[0] = x[0] * c_scale + c_array[2] - c_array[0];
  out[1] = c_kind == 3 ? c_single * x[0] : c_kind;
}
static inline void with_an_array_of_one(const double *x, double *out) { out[0] = x[0] * c_one[0]; }
static inline void with_a_loop_over_a_constant(const double *x, double *out) {
  out[0] = 0;
  for (int k = 0; k < c_kind; ++k) out[0] = out[0] * 0.5 + x[0] * k;
}

#endif

/* SPDX-License-Identifier: MIT */
