// Kernels whose text the tests replace by other texts.
#ifndef TRIAL_KERNELS_H
#define TRIAL_KERNELS_H

extern double t_scale;
extern double t_values[4];

static inline void judged(const double *a, const double *b, const int *k, double *out, double *added, double *sum,
                          double *low, int *at) {
  out[0] = a[0] * 2 - b[0];
  if (k[0] > 500) out[0] += 1;
  if (k[0] == 200) out[1] = 7;
  added[0] += a[0];
  sum[0] += a[0];
  if (b[0] < low[0]) {
    low[0] = b[0];
    at[0] = k[0];
  }
}
// What is left over when large terms cancel: rounding, and nothing else.
static inline void left_over(const double *a, const double *b, double *out, double *sum) {
  out[0] = (a[0] + b[0]) * (a[0] - b[0]) - (a[0] * a[0] - b[0] * b[0]);
  out[1] = a[0] + b[0];
  sum[0] += out[0];
}
static inline void doubled(const double *a, double *b) { b[0] = a[0] * 2; }
static inline void doubled_row(const double *a, double *b) {
  for (int c = 0; c < 3; ++c) b[c] = a[c] * 2;
}
static inline void doubled_twice(const double *a, double *b, double *c) { // both are written
  b[0] = a[0] * 2;
  c[0] = b[0] * 2;
}
static inline void counted(const double *a, double *sum) { sum[0] += a[0]; }
static inline void scaled(const double *a, double *b) { b[0] = a[0] * t_scale; }
static inline void summed_values(const double *a, double *b) { b[0] = a[0] * t_values[0] + t_values[1]; }
static inline void inverse(const double *a, double *b) { b[0] = a[0] != 0 ? 1 / a[0] : 0; }

#endif

/* SPDX-License-Identifier: MIT */
