// Kernels that read and reduce global variables, and read constants.
#ifndef GLOBALS_KERNELS_H
#define GLOBALS_KERNELS_H

static inline void read_globals(const double *x, const double *one, const int *five, const double *table, double *out) {
  out[0] = x[0] * one[0] + five[4] - five[0];
  for (int k = 0; k < 100; ++k) out[0] = out[0] * 0.5 + table[k];
  out[1] = table[99] - table[0] * x[0];
}
// An index that depends on data.
static inline void look_up(const int *i, const double *table, double *out) { out[0] = table[i[0]]; }
static inline void look_up_target(const int *target, const double *table, double *out) { out[0] = table[*target]; }

static inline void sum_all(const double *x, const float *f, const int *i, double *sx, double *s3, float *sf, int *si,
                           long long *sl) {
  sx[0] += x[0];
  s3[0] += x[0] * 2;
  s3[1] -= x[0] * 0.5;
  if (x[0] > 0) s3[2] += x[0];
  sf[0] += f[0];
  si[0] += i[0];
  sl[0] += 1000000007LL * i[0];
}
static inline void sum_floats(const float *f, const int *i, float *sf, unsigned *su) {
  sf[0] += f[0];
  sf[1] += f[0] * (float)i[0];
  su[0] += (unsigned)i[0];
}
static inline void sum_17(const double *x, double *s) {
  for (int k = 0; k < 17; ++k) s[k] += x[0];
}

static inline void extremes_double(const double *x, double *low, double *high) {
  if (x[0] < low[0]) low[0] = x[0];
  low[1] = low[1] < x[1] ? low[1] : x[1];
  if (high[0] < x[0]) high[0] = x[0];
}
static inline void extremes_float(const float *x, float *low, float *high) {
  low[0] = x[0] < low[0] ? x[0] : low[0];
  high[0] = x[0] > high[0] ? x[0] : high[0];
}
static inline void extremes_of_integers(const int *i, const unsigned *u, const long long *l, const unsigned long long *ul,
                                        int *low_i, int *high_i, unsigned *low_u, unsigned *high_u, long long *low_l,
                                        long long *high_l, unsigned long long *low_ul, unsigned long long *high_ul) {
  if (i[0] < low_i[0]) low_i[0] = i[0];
  if (i[0] > high_i[0]) high_i[0] = i[0];
  if (u[0] < low_u[0]) low_u[0] = u[0];
  if (u[0] > high_u[0]) high_u[0] = u[0];
  if (l[0] < low_l[0]) low_l[0] = l[0];
  if (l[0] > high_l[0]) high_l[0] = l[0];
  if (ul[0] < low_ul[0]) low_ul[0] = ul[0];
  if (ul[0] > high_ul[0]) high_ul[0] = ul[0];
}

// Extrema that say where they were found.
static inline void where_least(const int *n, const double *x, const float *f, double *low, int *at, double *place,
                               double *high, int *where) {
  if (x[0] < low[0]) {
    low[0] = x[0];
    at[0] = *n;
    place[0] = x[1];
    place[1] = x[0] * 2;
  }
  if (x[1] < low[1]) {
    low[1] = x[1];
    at[1] = *n;
    place[2] = f[0];
    place[3] = -x[1];
  }
  if (high[0] < f[0]) {
    high[0] = f[0];
    where[0] = *n;
  }
}
static inline void where_floats(const int *n, const float *x, float *high, int *at, float *beside) {
  if (x[0] > high[0]) {
    high[0] = x[0];
    at[0] = *n;
    beside[0] = x[1];
  }
}
static inline void where_integers(const int *n, const int *x, int *low, long long *at) {
  if (x[0] < low[0]) {
    low[0] = x[0];
    at[0] = 3000000000LL + *n;
  }
}

static inline void all_kinds(const double *a, const double *b, double *r, const int *n, double *inc, double *sum,
                             double *most, int *at) {
  const double d = a[0] - b[0];
  r[0] = d * d + *n;
  inc[0] += d;
  inc[1] -= d;
  sum[0] += d;
  if (d > most[0]) {
    most[0] = d;
    at[0] = *n;
  }
}

#endif

/* SPDX-License-Identifier: MIT */
