// Kernels over rows of many dims at once, one set of them for each type.
#ifndef ROWS_KERNELS_H
#define ROWS_KERNELS_H

typedef unsigned int uint;
typedef long long ll;
typedef unsigned long long ull;

// Each value is read once and written once: a component in a wrong lane, row or place shows.
#define GATHER(D, a, b) \
  for (int c = 0; c < D; ++c) b[c] = a[c] * f[0] - a[D - 1 - c];
#define UPDATE(D, x) \
  for (int c = 0; c < D; ++c) x[c] = x[c] * f[0] + x[0];
#define SCATTER(T, D, y, z)               \
  for (int c = 0; c < D; ++c) {           \
    y[c] += f[0] * static_cast<T>(c + 1); \
    z[c] += f[1] * static_cast<T>(c + 2); \
  }

static inline void gather_double(const double *f, const double *a1, const double *a2, const double *a3,
                                 const double *a4, const double *a5, const double *a6, const double *a7,
                                 const double *a8, const double *a9, const double *a16, double *b1, double *b2,
                                 double *b3, double *b4, double *b5, double *b6, double *b7, double *b8, double *b9,
                                 double *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_double(const double *f, double *x1, double *x2, double *x3, double *x4, double *x5,
                                 double *x6, double *x7, double *x8, double *x9, double *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_double(const double *f, double *y1, double *y2, double *y3, double *y4, double *y5,
                                  double *y6, double *y7, double *y8, double *y9, double *y16, double *z1, double *z2,
                                  double *z3, double *z4, double *z5, double *z6, double *z7, double *z8, double *z9,
                                  double *z16) {
  SCATTER(double, 1, y1, z1)
  SCATTER(double, 2, y2, z2) SCATTER(double, 3, y3, z3) SCATTER(double, 4, y4, z4) SCATTER(double, 5, y5, z5)
      SCATTER(double, 6, y6, z6) SCATTER(double, 7, y7, z7) SCATTER(double, 8, y8, z8) SCATTER(double, 9, y9, z9)
          SCATTER(double, 16, y16, z16)
}

static inline void gather_float(const float *f, const float *a1, const float *a2, const float *a3, const float *a4,
                                const float *a5, const float *a6, const float *a7, const float *a8, const float *a9,
                                const float *a16, float *b1, float *b2, float *b3, float *b4, float *b5, float *b6,
                                float *b7, float *b8, float *b9, float *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_float(const float *f, float *x1, float *x2, float *x3, float *x4, float *x5, float *x6,
                                float *x7, float *x8, float *x9, float *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_float(const float *f, float *y1, float *y2, float *y3, float *y4, float *y5, float *y6,
                                 float *y7, float *y8, float *y9, float *y16, float *z1, float *z2, float *z3,
                                 float *z4, float *z5, float *z6, float *z7, float *z8, float *z9, float *z16) {
  SCATTER(float, 1, y1, z1)
  SCATTER(float, 2, y2, z2) SCATTER(float, 3, y3, z3) SCATTER(float, 4, y4, z4) SCATTER(float, 5, y5, z5)
      SCATTER(float, 6, y6, z6) SCATTER(float, 7, y7, z7) SCATTER(float, 8, y8, z8) SCATTER(float, 9, y9, z9)
          SCATTER(float, 16, y16, z16)
}

static inline void gather_int(const int *f, const int *a1, const int *a2, const int *a3, const int *a4, const int *a5,
                              const int *a6, const int *a7, const int *a8, const int *a9, const int *a16, int *b1,
                              int *b2, int *b3, int *b4, int *b5, int *b6, int *b7, int *b8, int *b9, int *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_int(const int *f, int *x1, int *x2, int *x3, int *x4, int *x5, int *x6, int *x7, int *x8,
                              int *x9, int *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_int(const int *f, int *y1, int *y2, int *y3, int *y4, int *y5, int *y6, int *y7, int *y8,
                               int *y9, int *y16, int *z1, int *z2, int *z3, int *z4, int *z5, int *z6, int *z7,
                               int *z8, int *z9, int *z16) {
  SCATTER(int, 1, y1, z1)
  SCATTER(int, 2, y2, z2) SCATTER(int, 3, y3, z3) SCATTER(int, 4, y4, z4) SCATTER(int, 5, y5, z5)
      SCATTER(int, 6, y6, z6) SCATTER(int, 7, y7, z7) SCATTER(int, 8, y8, z8) SCATTER(int, 9, y9, z9)
          SCATTER(int, 16, y16, z16)
}

static inline void gather_uint(const uint *f, const uint *a1, const uint *a2, const uint *a3, const uint *a4,
                               const uint *a5, const uint *a6, const uint *a7, const uint *a8, const uint *a9,
                               const uint *a16, uint *b1, uint *b2, uint *b3, uint *b4, uint *b5, uint *b6, uint *b7,
                               uint *b8, uint *b9, uint *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_uint(const uint *f, uint *x1, uint *x2, uint *x3, uint *x4, uint *x5, uint *x6, uint *x7,
                               uint *x8, uint *x9, uint *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_uint(const uint *f, uint *y1, uint *y2, uint *y3, uint *y4, uint *y5, uint *y6, uint *y7,
                                uint *y8, uint *y9, uint *y16, uint *z1, uint *z2, uint *z3, uint *z4, uint *z5,
                                uint *z6, uint *z7, uint *z8, uint *z9, uint *z16) {
  SCATTER(uint, 1, y1, z1)
  SCATTER(uint, 2, y2, z2) SCATTER(uint, 3, y3, z3) SCATTER(uint, 4, y4, z4) SCATTER(uint, 5, y5, z5)
      SCATTER(uint, 6, y6, z6) SCATTER(uint, 7, y7, z7) SCATTER(uint, 8, y8, z8) SCATTER(uint, 9, y9, z9)
          SCATTER(uint, 16, y16, z16)
}

static inline void gather_ll(const ll *f, const ll *a1, const ll *a2, const ll *a3, const ll *a4, const ll *a5,
                             const ll *a6, const ll *a7, const ll *a8, const ll *a9, const ll *a16, ll *b1, ll *b2,
                             ll *b3, ll *b4, ll *b5, ll *b6, ll *b7, ll *b8, ll *b9, ll *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_ll(const ll *f, ll *x1, ll *x2, ll *x3, ll *x4, ll *x5, ll *x6, ll *x7, ll *x8, ll *x9,
                             ll *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_ll(const ll *f, ll *y1, ll *y2, ll *y3, ll *y4, ll *y5, ll *y6, ll *y7, ll *y8, ll *y9,
                              ll *y16, ll *z1, ll *z2, ll *z3, ll *z4, ll *z5, ll *z6, ll *z7, ll *z8, ll *z9,
                              ll *z16) {
  SCATTER(ll, 1, y1, z1)
  SCATTER(ll, 2, y2, z2) SCATTER(ll, 3, y3, z3) SCATTER(ll, 4, y4, z4) SCATTER(ll, 5, y5, z5) SCATTER(ll, 6, y6, z6)
      SCATTER(ll, 7, y7, z7) SCATTER(ll, 8, y8, z8) SCATTER(ll, 9, y9, z9) SCATTER(ll, 16, y16, z16)
}

static inline void gather_ull(const ull *f, const ull *a1, const ull *a2, const ull *a3, const ull *a4, const ull *a5,
                              const ull *a6, const ull *a7, const ull *a8, const ull *a9, const ull *a16, ull *b1,
                              ull *b2, ull *b3, ull *b4, ull *b5, ull *b6, ull *b7, ull *b8, ull *b9, ull *b16) {
  GATHER(1, a1, b1)
  GATHER(2, a2, b2) GATHER(3, a3, b3) GATHER(4, a4, b4) GATHER(5, a5, b5) GATHER(6, a6, b6) GATHER(7, a7, b7)
      GATHER(8, a8, b8) GATHER(9, a9, b9) GATHER(16, a16, b16)
}
static inline void update_ull(const ull *f, ull *x1, ull *x2, ull *x3, ull *x4, ull *x5, ull *x6, ull *x7, ull *x8,
                              ull *x9, ull *x16) {
  UPDATE(1, x1)
  UPDATE(2, x2) UPDATE(3, x3) UPDATE(4, x4) UPDATE(5, x5) UPDATE(6, x6) UPDATE(7, x7) UPDATE(8, x8) UPDATE(9, x9)
      UPDATE(16, x16)
}
static inline void scatter_ull(const ull *f, ull *y1, ull *y2, ull *y3, ull *y4, ull *y5, ull *y6, ull *y7, ull *y8,
                               ull *y9, ull *y16, ull *z1, ull *z2, ull *z3, ull *z4, ull *z5, ull *z6, ull *z7,
                               ull *z8, ull *z9, ull *z16) {
  SCATTER(ull, 1, y1, z1)
  SCATTER(ull, 2, y2, z2) SCATTER(ull, 3, y3, z3) SCATTER(ull, 4, y4, z4) SCATTER(ull, 5, y5, z5)
      SCATTER(ull, 6, y6, z6) SCATTER(ull, 7, y7, z7) SCATTER(ull, 8, y8, z8) SCATTER(ull, 9, y9, z9)
          SCATTER(ull, 16, y16, z16)
}

static inline void row64(const double *a, double *b) {
  for (int c = 0; c < 64; ++c) b[c] = a[63 - c] * 3 + a[c];
}
static inline void row64f(const float *a, float *b) {
  for (int c = 0; c < 64; ++c) b[c] = a[63 - c] * 3 + a[c];
}
static inline void row65(const double *a, double *b) {
  for (int c = 0; c < 65; ++c) b[c] = a[64 - c] * 3 + a[c];
}
static inline void add64(const double *a, double *y) {
  for (int c = 0; c < 64; ++c) y[c] += a[0] * c;
}

#endif

/* SPDX-License-Identifier: MIT */
