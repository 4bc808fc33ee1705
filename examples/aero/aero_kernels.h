/* aero_kernels.h: the kernels of the aero solver, for C and C++.
 *
 * 2-D compressible potential flow: div(rho grad phi) = 0, where rho follows from |grad phi| by Bernoulli's equation.
 * Bilinear finite elements with 2 x 2 Gauss points; the linear systems of the iteration are solved by conjugate
 * gradients. Corners of a cell come in the order (0,0), (1,0), (0,1), (1,1) of the unit square. */
#ifndef OP2_EXAMPLES_AERO_KERNELS_H
#define OP2_EXAMPLES_AERO_KERNELS_H

#include <math.h>

static double gam;           /* ratio of specific heats */
static double gm1;           /* gam - 1 */
static double gm1i;          /* 1 / gm1 */
static double minf;          /* Mach number of the free stream */
static double m2;            /* minf squared */
static double weight;        /* of each Gauss point */
static double shape_xi[16];  /* d shape / d xi: [Gauss point][corner] */
static double shape_eta[16]; /* d shape / d eta */

static inline void aero_constants(void) {
  const double point[2] = {0.5 - sqrt(1.0 / 12.0), 0.5 + sqrt(1.0 / 12.0)};
  gam = 1.4;
  gm1 = gam - 1.0;
  gm1i = 1.0 / gm1;
  minf = 0.1;
  m2 = minf * minf;
  weight = 0.25;
  for (int g = 0; g < 4; ++g) {
    const double xi = point[g % 2], eta = point[g / 2];
    shape_xi[4 * g + 0] = -(1.0 - eta);
    shape_xi[4 * g + 1] = 1.0 - eta;
    shape_xi[4 * g + 2] = -eta;
    shape_xi[4 * g + 3] = eta;
    shape_eta[4 * g + 0] = -(1.0 - xi);
    shape_eta[4 * g + 1] = -xi;
    shape_eta[4 * g + 2] = 1.0 - xi;
    shape_eta[4 * g + 3] = xi;
  }
}

/* Cells: the residual of the flow equation, added to the corners, and the cell's part K of the matrix of Newton's
 * method, kept for spMV. */
static inline void res_calc(const double *x1, const double *x2, const double *x3, const double *x4, const double *phi1,
                            const double *phi2, const double *phi3, const double *phi4, double *K, double *res1,
                            double *res2, double *res3, double *res4) {
  double r[4] = {0.0, 0.0, 0.0, 0.0};
  for (int n = 0; n < 16; ++n) K[n] = 0.0;
  for (int g = 0; g < 4; ++g) {
    const double *const a = &shape_xi[4 * g], *const b = &shape_eta[4 * g];
    /* the mapping from the unit square, and its inverse */
    const double x_xi = a[0] * x1[0] + a[1] * x2[0] + a[2] * x3[0] + a[3] * x4[0];
    const double y_xi = a[0] * x1[1] + a[1] * x2[1] + a[2] * x3[1] + a[3] * x4[1];
    const double x_eta = b[0] * x1[0] + b[1] * x2[0] + b[2] * x3[0] + b[3] * x4[0];
    const double y_eta = b[0] * x1[1] + b[1] * x2[1] + b[2] * x3[1] + b[3] * x4[1];
    const double det = x_xi * y_eta - x_eta * y_xi, deti = 1.0 / det;
    double gx[4], gy[4]; /* gradients of the shape functions */
    for (int j = 0; j < 4; ++j) {
      gx[j] = deti * (y_eta * a[j] - y_xi * b[j]);
      gy[j] = deti * (x_xi * b[j] - x_eta * a[j]);
    }
    const double u = gx[0] * phi1[0] + gx[1] * phi2[0] + gx[2] * phi3[0] + gx[3] * phi4[0];
    const double v = gy[0] * phi1[0] + gy[1] * phi2[0] + gy[2] * phi3[0] + gy[3] * phi4[0];
    const double D = 1.0 + 0.5 * gm1 * (m2 - (u * u + v * v));
    const double w_rho = weight * det * pow(D, gm1i), w_drho = w_rho / D;
    for (int j = 0; j < 4; ++j) {
      const double along = u * gx[j] + v * gy[j];
      r[j] += w_rho * along;
      for (int k = 0; k < 4; ++k)
        K[4 * j + k] += w_rho * (gx[j] * gx[k] + gy[j] * gy[k]) - w_drho * along * (u * gx[k] + v * gy[k]);
    }
  }
  res1[0] += r[0];
  res2[0] += r[1];
  res3[0] += r[2];
  res4[0] += r[3];
}

/* Far-field nodes: the potential is known there, nothing is left to solve. */
static inline void dirichlet(double *res) { *res = 0.0; }

/* Nodes: begin of conjugate gradients with u = 0. */
static inline void init_cg(const double *r, double *c, double *u, double *v, double *p) {
  *c += *r * *r;
  *u = 0.0;
  *v = 0.0;
  *p = *r;
}

/* Cells: v += K p, with the values at the four corners. */
static inline void spMV(double **v, const double *K, const double **p) {
  for (int j = 0; j < 4; ++j) {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += K[4 * j + k] * p[k][0];
    v[j][0] += sum;
  }
}

/* Nodes: c = p . v */
static inline void dotPV(const double *p, const double *v, double *c) { *c += *p * *v; }

/* Nodes: a step of length alpha along p. */
static inline void updateUR(double *u, double *r, const double *p, double *v, const double *alpha) {
  *u += *alpha * *p;
  *r -= *alpha * *v;
  *v = 0.0;
}

/* Nodes: c = r . r */
static inline void dotR(const double *r, double *c) { *c += *r * *r; }

/* Nodes: the next direction. */
static inline void updateP(const double *r, double *p, const double *beta) { *p = *r + *beta * *p; }

/* Nodes: one step of Newton's method. */
static inline void update(double *phi, double *res, const double *u, double *rms) {
  *phi -= *u;
  *res = 0.0;
  *rms += *u * *u;
}

#endif

/* SPDX-License-Identifier: MIT */
