// Kernels of bench/orders.cpp: a finite volume scheme with gradients, and a finite element residual.
#ifndef ORDERS_KERNELS_H
#define ORDERS_KERNELS_H

#include <cmath>

// Green and Gauss: the mean of both sides times the normal.
inline void add_gradients(const double *n, const double *left, const double *right, double *to_left, double *to_right) {
  for (int v = 0; v < 5; ++v) {
    const double mean = 0.5 * (left[v] + right[v]);
    for (int k = 0; k < 3; ++k) {
      to_left[3 * v + k] += mean * n[k];
      to_right[3 * v + k] -= mean * n[k];
    }
  }
}

// A central flux with a diffusive part.
inline void add_fluxes(const double *n, const double *left, const double *right, const double *gradient_left,
                       const double *gradient_right, double *to_left, double *to_right) {
  const double area = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const double through =
      0.5 * (n[0] * (left[1] + right[1]) + n[1] * (left[2] + right[2]) + n[2] * (left[3] + right[3]));
  for (int v = 0; v < 5; ++v) {
    double flux = 0.5 * through * (left[v] + right[v]) - 0.1 * area * (right[v] - left[v]);
    for (int k = 0; k < 3; ++k) flux -= 0.005 * n[k] * (gradient_left[3 * v + k] + gradient_right[3 * v + k]);
    to_left[v] -= 1e-6 * flux;
    to_right[v] += 1e-6 * flux;
  }
}

inline void advance(double *q, double *residual, double *gradient) {
  for (int v = 0; v < 5; ++v) {
    q[v] += 1e-6 * residual[v];
    residual[v] = 0;
  }
  for (int k = 0; k < 15; ++k) gradient[k] = 0;
}

// What flows between the corners of a tetrahedron, by the squares of their distances.
inline void conduct(const double *const *x, const double *const *t, double *const *flow) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      const double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1], dz = x[i][2] - x[j][2];
      const double g = (*t[i] - *t[j]) / (1e-3 + dx * dx + dy * dy + dz * dz);
      *flow[i] -= g;
      *flow[j] += g;
    }
}

inline void relax(double *t, double *flow) {
  *t += 1e-9 * *flow;
  *flow = 0;
}

#endif

/* SPDX-License-Identifier: MIT */
