/* airfoil_kernels.h: the five kernels of the airfoil solver and one for pictures, for C and C++.
 *
 * 2-D Euler equations, cell-centred finite volumes with a simple dissipative flux, two stages of a pseudo-time
 * iteration. A cell's state is q = (density, x momentum, y momentum, energy), all per volume. */
#ifndef OP2_EXAMPLES_AIRFOIL_KERNELS_H
#define OP2_EXAMPLES_AIRFOIL_KERNELS_H

#include <math.h>

static double gam;     /* ratio of specific heats */
static double gm1;     /* gam - 1 */
static double cfl;     /* Courant number */
static double eps;     /* factor of the artificial dissipation */
static double mach;    /* Mach number of the free stream */
static double qinf[4]; /* state of the free stream, along the x axis */

/* Sets the six constants. The published results hold for literals of single precision, kept in double. */
static inline void airfoil_constants(void) {
  gam = 1.4f;
  gm1 = gam - 1.0;
  cfl = 0.9f;
  eps = 0.05f;
  mach = 0.4f;
  const double p = 1.0, r = 1.0, u = sqrt(gam * p / r) * mach, e = p / (r * gm1) + 0.5 * u * u;
  qinf[0] = r;
  qinf[1] = r * u;
  qinf[2] = 0.0;
  qinf[3] = r * e;
}

/* Cells: keep the state from before the two stages. */
static inline void save_soln(const double *q, double *qold) {
  for (int n = 0; n < 4; ++n) qold[n] = q[n];
}

/* Cells: area over time step, from the speed of waves through the four sides; x1 ... x4 are the corners. */
static inline void adt_calc(const double *x1, const double *x2, const double *x3, const double *x4, const double *q,
                            double *adt) {
  const double ri = 1.0 / q[0], u = ri * q[1], v = ri * q[2];
  const double c = sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));
  double dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  double sum = fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
  dx = x3[0] - x2[0];
  dy = x3[1] - x2[1];
  sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
  dx = x4[0] - x3[0];
  dy = x4[1] - x3[1];
  sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
  dx = x1[0] - x4[0];
  dy = x1[1] - x4[1];
  sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
  *adt = sum / cfl;
}

/* Interior edges: the flux from cell 1 to cell 2 through the edge x1 - x2. */
static inline void res_calc(const double *x1, const double *x2, const double *q1, const double *q2, const double *adt1,
                            const double *adt2, double *res1, double *res2) {
  const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
  double ri = 1.0 / q1[0];
  const double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  const double vol1 = ri * (q1[1] * dy - q1[2] * dx);
  ri = 1.0 / q2[0];
  const double p2 = gm1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
  const double vol2 = ri * (q2[1] * dy - q2[2] * dx);
  const double mu = 0.5 * (*adt1 + *adt2) * eps;

  const double f0 = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  const double f1 = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  const double f2 = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  const double f3 = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
  res1[0] += f0;
  res2[0] -= f0;
  res1[1] += f1;
  res2[1] -= f1;
  res1[2] += f2;
  res2[2] -= f2;
  res1[3] += f3;
  res2[3] -= f3;
}

/* Boundary edges: only pressure acts on a wall (*bound == 1); elsewhere the free stream is the neighbour. */
static inline void bres_calc(const double *x1, const double *x2, const double *q1, const double *adt1, double *res1,
                             const int *bound) {
  const double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
  double ri = 1.0 / q1[0];
  const double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  if (*bound == 1) {
    res1[1] += p1 * dy;
    res1[2] += -p1 * dx;
  } else {
    const double vol1 = ri * (q1[1] * dy - q1[2] * dx);
    ri = 1.0 / qinf[0];
    const double p2 = gm1 * (qinf[3] - 0.5 * ri * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
    const double vol2 = ri * (qinf[1] * dy - qinf[2] * dx);
    const double mu = *adt1 * eps;
    res1[0] += 0.5 * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
    res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
    res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
    res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
  }
}

/* Cells: one stage of the iteration; sums the squares of the changes and remembers the largest and its cell. */
static inline void update(const double *qold, double *q, double *res, const double *adt, double *rms, double *maxerr,
                          const int *idx, int *errloc) {
  const double adti = 1.0 / *adt;
  for (int n = 0; n < 4; ++n) {
    const double del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0;
    *rms += del * del;
    if (*maxerr < del * del) {
      *maxerr = del * del;
      *errloc = *idx;
    }
  }
}

/* Cells: what there is to look at. */
static inline void pressure(const double *q, double *p) {
  *p = gm1 * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0]);
}

#endif

/* SPDX-License-Identifier: MIT */
