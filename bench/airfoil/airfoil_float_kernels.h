/* airfoil_float_kernels.h: the five kernels of airfoil_kernels.h in single precision. */
#ifndef OP2_BENCH_AIRFOIL_FLOAT_KERNELS_H
#define OP2_BENCH_AIRFOIL_FLOAT_KERNELS_H

#include <math.h>

static float f_gam, f_gm1, f_cfl, f_eps, f_qinf[4]; /* as gam ... qinf there */

static inline float pressure(const float *q) { return f_gm1 * (q[3] - 0.5f / q[0] * (q[1] * q[1] + q[2] * q[2])); }

static inline void save_soln_float(const float *q, float *qold) {
  for (int n = 0; n < 4; ++n) qold[n] = q[n];
}

static inline float side(const float *a, const float *b, float u, float v, float c) {
  const float dx = b[0] - a[0], dy = b[1] - a[1];
  return fabsf(u * dy - v * dx) + c * sqrtf(dx * dx + dy * dy);
}

static inline void adt_calc_float(const float *x1, const float *x2, const float *x3, const float *x4, const float *q,
                                  float *adt) {
  const float u = q[1] / q[0], v = q[2] / q[0], c = sqrtf(f_gam * pressure(q) / q[0]);
  *adt = (side(x1, x2, u, v, c) + side(x2, x3, u, v, c) + side(x3, x4, u, v, c) + side(x4, x1, u, v, c)) / f_cfl;
}

/* The flux through the edge x1 - x2 from state q1 to state q2, with dissipation mu. */
static inline void flux_float(const float *x1, const float *x2, const float *q1, const float *q2, float mu, float *f) {
  const float dx = x1[0] - x2[0], dy = x1[1] - x2[1], p1 = pressure(q1), p2 = pressure(q2);
  const float vol1 = (q1[1] * dy - q1[2] * dx) / q1[0], vol2 = (q2[1] * dy - q2[2] * dx) / q2[0];
  f[0] = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  f[2] = 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  f[3] = 0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

static inline void res_calc_float(const float *x1, const float *x2, const float *q1, const float *q2, const float *adt1,
                                  const float *adt2, float *res1, float *res2) {
  float f[4];
  flux_float(x1, x2, q1, q2, 0.5f * (*adt1 + *adt2) * f_eps, f);
  for (int n = 0; n < 4; ++n) {
    res1[n] += f[n];
    res2[n] -= f[n];
  }
}

static inline void bres_calc_float(const float *x1, const float *x2, const float *q1, const float *adt1, float *res1,
                                   const int *bound) {
  if (*bound == 1) {
    const float p1 = pressure(q1);
    res1[1] += p1 * (x1[1] - x2[1]);
    res1[2] -= p1 * (x1[0] - x2[0]);
  } else {
    float f[4];
    flux_float(x1, x2, q1, f_qinf, *adt1 * f_eps, f);
    for (int n = 0; n < 4; ++n) res1[n] += f[n];
  }
}

static inline void update_float(const float *qold, float *q, float *res, const float *adt, float *rms, float *maxerr,
                                const int *idx, int *errloc) {
  const float adti = 1.0f / *adt;
  for (int n = 0; n < 4; ++n) {
    const float del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0f;
    *rms += del * del;
    if (*maxerr < del * del) {
      *maxerr = del * del;
      *errloc = *idx;
    }
  }
}

#endif

/* SPDX-License-Identifier: MIT */
