// Kernels that reach rows in many ways.
#ifndef MAPS_KERNELS_H
#define MAPS_KERNELS_H

// Vector arguments through maps of 2 ... 8 columns.
static inline void all_columns(double **a2, double **a3, double **a4, double **a5, double **a6, double **a7,
                               double **a8, double *out) {
  out[0] = a2[0][0] - a2[1][0];
  out[1] = a3[0][0] - 2 * a3[1][0] + a3[2][0];
  out[2] = a4[3][0];
  for (int j = 0; j < 4; ++j) out[2] = out[2] * 0.5 + a4[j][0];
  out[3] = a5[0][0] * a5[4][0] - a5[2][0];
  out[4] = a6[5][0] / (2.5 + a6[1][0]);
  out[5] = a7[6][0] - a7[3][0];
  out[6] = a8[7][0] * a8[0][0] - a8[3][0] * a8[4][0];
}
// Added to through vector arguments: what one element adds to a row that is in two of its columns comes twice.
static inline void add_to_all(const double *w, double **y2, double **y3, double **y5, double **y8) {
  for (int j = 0; j < 2; ++j) y2[j][0] += w[0] * (j + 1);
  for (int j = 0; j < 3; ++j) {
    y3[j][0] += w[0] * (j + 1);
    y3[j][1] += w[1] * (j + 2);
  }
  for (int j = 0; j < 5; ++j)
    for (int c = 0; c < 3; ++c) y5[j][c] += w[1] * (j + c + 1);
  for (int j = 0; j < 8; ++j) y8[j][0] += w[0] * w[1] * (8 - j);
}
static inline void area(double **x, double *a) {
  a[0] = 0.5 * ((x[2][0] - x[0][0]) * (x[3][1] - x[1][1]) - (x[3][0] - x[1][0]) * (x[2][1] - x[0][1]));
}
// 8 columns of rows of 8 fill what vectors take; of 9 they do not.
static inline void eight_by_eight(double **x, double *a) {
  a[0] = 1;
  for (int j = 0; j < 8; ++j)
    for (int c = 0; c < 8; ++c) a[0] = a[0] * 0.75 + x[j][c];
}
static inline void eight_by_nine(double **x, double *a) {
  a[0] = 1;
  for (int j = 0; j < 8; ++j)
    for (int c = 0; c < 9; ++c) a[0] = a[0] * 0.75 + x[j][c];
}

// One row in several arguments, one dat through several columns of two maps, and directly.
static inline void meet(const double *x0, const double *x1, const double *again, const double *other, const double *own,
                        double *out) {
  out[0] = x0[0] - x1[0];
  out[1] = again[1] * x0[1] - other[0];
  out[2] = other[1] + own[0] * x1[1];
}
static inline void add_twice(const double *w, double *y0, double *y1, double *y0_again, double *other) {
  y0[0] += w[0];
  y1[0] -= w[1];
  y0_again[0] += w[0] * w[1];
  other[0] -= w[0];
  y0[1] -= w[1];
  other[1] += w[1];
}
// Never touches some rows: they must keep every bit, the sign of a zero included.
static inline void add_to_some(const double *w, double *y) {
  if (w[0] > 0) y[0] += w[0];
  if (w[1] > 1e9) y[1] += w[1];
}

// To single components at indices of the element: once, or not at all; some times; by one and with other types. Both
// rows may be the same.
static inline void add_at_own_index(const int *at, const double *w, double *y0, double *y1) {
  const int there = at[0] & 7, back = there < 4 ? there : 7 - there;
  y1[there] += w[0];
  if (w[1] > 0)
    y0[back] -= w[1];
  else if (w[1] > -1)
    y0[at[1] & 7] += w[0] * w[1];
}
static inline void add_some_at_own_index(const int *at, const double *w, double *y0, double *y1) {
  const int first = at[0] & 3;
  for (int j = 0; j < 3; ++j) {
    y0[(at[1] >> j) & 3] += w[0] * (j + 1);
    y1[(first + j) & 3] -= w[1] / (j + 1);
  }
  y0[1] += w[1];
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
static inline void count_at_own_index(const int *at, const double *w, int *n, float *f) {
  n[at[0] & 7]++;
  f[at[1] & 3] += w[0];
  f[at[0] & 3] -= at[1];
}
#pragma GCC diagnostic pop

// Numbers of the element and of where maps lead; mixed types.
static inline void numbers_of(const int *n, const int *to0, const int *to2, const double *table, int *own, double *real,
                              float *single, long long *wide) {
  own[0] = *n * 3 - *to0;
  own[1] = *to2 - 7;
  real[0] = *n * 0.5 + *to0 * table[0];
  single[0] = (float)*to2 * 0.25f;
  wide[0] = 1000000000LL * *n + *to0;
}

// Optional arguments.
static inline void perhaps(const double *a, const double *b, double *sum, const double *factor, double *out) {
  out[0] = a[0];
  if (b) out[0] -= b[0];
  if (sum) sum[0] += a[0];
  if (factor) out[0] *= factor[0];
}

// Accesses that elements side by side must not share: scalar code.
static inline void change_through_map(const double *w, double *x) { x[0] = x[0] * 0.5 + w[0]; }
static inline void set_through_map(const int *n, int *x) { x[0] = *n; }
static inline void read_and_add(const double *old, double *y) { y[0] += old[0] * 0.25; }

struct pair_of_values {
  double a;
  int b;
};
static inline void own_type(const struct pair_of_values *p, double *out, struct pair_of_values *q) {
  out[0] = p->a * p->b;
  q->a = p->b;
  q->b = (int)p->a;
}
static inline void flags(const bool *f, const int *a, bool *g, int *b) {
  g[0] = !f[0] && a[0] > 0;
  b[0] = f[0] ? a[0] : -a[0];
}

// Whole rows written and not read.
static inline void mixed_widths(const float *f, const double *d, const int *i, float *f4, double *d2, int *i4,
                                float *f1) {
  for (int c = 0; c < 4; ++c) {
    f4[c] = f[0] * (float)(c + 1);
    i4[c] = i[0] + c;
  }
  d2[0] = d[0] * f[0];
  d2[1] = d[0] - i[0];
  f1[0] = (float)d[0];
}

// Differences along edges, handed to both ends.
static inline void exchange(const double *a, const double *b, const double *w, double *ra, double *rb) {
  const double f0 = w[0] * (a[0] - b[0]), f1 = w[0] * a[1] * b[1], f2 = a[2] - b[0], f3 = b[3] * w[0];
  ra[0] += f0;
  rb[0] -= f0;
  ra[1] += f1;
  rb[1] -= f1;
  ra[2] += f2;
  rb[2] -= f2;
  ra[3] += f3;
  rb[3] -= f3;
}
static inline void gather_four(const double **x, double *out, double *sum) {
  out[0] = x[0][0] * x[1][1] - x[2][0] * x[3][1];
  sum[0] += x[3][0];
}

#endif

/* SPDX-License-Identifier: MIT */
