// Kernels whose arguments lie in other layouts.
#ifndef LAYOUTS_KERNELS_H
#define LAYOUTS_KERNELS_H

static inline void flux(const double *x0, const double *x1, const float *w, double *y0, double *y1) {
  for (int c = 0; c < 3; ++c) {
    const double f = w[0] * x0[c] - w[1] * x1[2 - c];
    y0[c] += f;
    y1[c] -= f;
  }
}
static inline void corners(double **x, int **marks, double *out, int *sum) {
  for (int c = 0; c < 3; ++c) out[c] = x[0][c] - x[1][c] * 0.5;
  sum[0] = marks[0][0] + marks[1][1];
  sum[1] = marks[0][1] - marks[1][0];
}
// Writes some components of some rows only.
static inline void some(const double *a, double *b, double *c) {
  if (a[0] > 0) b[1] = a[0] - a[2];
  if (a[1] < 0.5) c[2] += a[1];
  c[0] += 1;
}
static inline void add_columns(const float *w, double **y) {
  for (int j = 0; j < 2; ++j)
    for (int c = 0; c < 3; ++c) y[j][c] += w[j] * (c + 1.0);
}
// Through a map to rows of its own: only element by element.
static inline void turn(double *row, const float *w) {
  const double first = row[0];
  row[0] = row[1] * w[0];
  row[1] = row[2] - w[1];
  row[2] = first;
}
static inline void put(double *row, const float *w) {
  if (w[0] > 0) row[1] = w[0];
}
// Two arguments of one dat, one of which writes: not in any other layout.
static inline void shift(const double *from, double *to) {
  for (int c = 0; c < 3; ++c) to[c] = from[c] * 0.5 + to[c];
}
static inline void largest(const double *a, const int *n, double *sum, double *most, int *where) {
  sum[0] += a[0];
  sum[1] += a[1] * a[2];
  if (a[2] > most[0]) {
    most[0] = a[2];
    where[0] = *n;
  }
}
static inline void line(const double *a, double *b) {
  b[0] = a[0] * 2;
  b[1] = a[1] + a[0];
  b[2] = 1;
}

#endif

/* SPDX-License-Identifier: MIT */
