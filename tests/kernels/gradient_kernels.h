// Gradients, limiters, reconstruction, and fluxes and quantities made from gradients.
#pragma once

#include <math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "source_math.h"

#define NVAR 5
#define NDIM 3

// Green-Gauss: what an edge's dual face gives to the gradients at its two ends.
static inline void green_gauss_gradient(const double *q0, const double *q1, const double *normal, const double *vol0,
                                        const double *vol1, double *grad0, double *grad1) {
  int v, d;
  double qf;

  for (v = 0; v < NVAR; v++) {
    qf = 0.5 * (q0[v] + q1[v]);
    for (d = 0; d < NDIM; d++) {
      grad0[v * NDIM + d] += qf * normal[d] / vol0[0];
      grad1[v * NDIM + d] -= qf * normal[d] / vol1[0];
    }
  }
}

// Weighted least-squares gradient of a cell: its neighbours' moments are there already, its nodes are added here.
static inline void least_squares_gradient(const double *x[4], const double *u[4], const double *xc, const double *uc,
                                          const double *moments, const double *rhs, double *grad) {
  double a[3][3] = {{moments[0], moments[1], moments[2]},
                    {moments[1], moments[3], moments[4]},
                    {moments[2], moments[4], moments[5]}};
  double b[3] = {rhs[0], rhs[1], rhs[2]};
  double inv[3][3];

  for (int n = 0; n < 4; n++) {
    double d[3], len2 = 1.0e-12;
    for (int i = 0; i < 3; i++) {
      d[i] = x[n][i] - xc[i];
      len2 += SQR(d[i]);
    }
    const double w = 1.0 / sqrt(len2);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) a[i][j] += w * d[i] * d[j];
      b[i] += w * d[i] * (u[n][0] - uc[0]);
    }
  }

  invert3(a, inv);
  for (int i = 0; i < 3; i++) grad[i] = inv[i][0] * b[0] + inv[i][1] * b[1] + inv[i][2] * b[2];
}

namespace slope_limiters {

// Barth and Jespersen's bound on a change from the value, such that the result stays between low and high.
inline double bounded(double value, double change, double low, double high) {
  constexpr double tiny = 1.0e-14;
  if (change > tiny) return std::min(1.0, (high - value) / change);
  if (change < -tiny) return std::min(1.0, (low - value) / change);
  return 1.0;
}

// Venkatakrishnan's smooth function, from the room there is, the change and a threshold.
inline double smooth(double room, double change, double eps2) {
  const double numerator = room * room + eps2 + 2.0 * room * change;
  return numerator / (room * room + 2.0 * change * change + room * change + eps2);
}

} // namespace slope_limiters

// Barth-Jespersen limiter of an edge: the smaller one of its two ends, for density and pressure.
inline void barth_jespersen_limiter(const double *x0, const double *x1, const double *value0, const double *value1,
                                    const double *gradient0, const double *gradient1, const double *around0,
                                    const double *around1, double *limiter) {
  const std::array<double, 3> half = {0.5 * (x1[0] - x0[0]), 0.5 * (x1[1] - x0[1]), 0.5 * (x1[2] - x0[2])};
  for (int v = 0; v < 2; ++v) {
    const auto [lower, upper] = std::minmax(value0[v], value1[v]);
    const double low = std::min({lower, around0[2 * v], around1[2 * v]});
    const double high = std::max({upper, around0[2 * v + 1], around1[2 * v + 1]});

    double forward = 0.0, backward = 0.0;
    for (std::size_t d = 0; d < half.size(); ++d) {
      forward += gradient0[3 * v + d] * half[d];
      backward -= gradient1[3 * v + d] * half[d];
    }
    limiter[v] = std::min(slope_limiters::bounded(value0[v], forward, low, high),
                          slope_limiters::bounded(value1[v], backward, low, high));
  }
}

// Venkatakrishnan limiter of a cell: bounds from the values at its four nodes, which are also where it reconstructs.
inline void venkatakrishnan_limiter(const double **x, const double **nodal, const double *center, const double *mean,
                                    const double *gradient, const double *volume, double *phi) {
  enum { variables = 4, corners = 4, dims = 3 };
  const double K = 0.3;
  const double h = std::cbrt(*volume);
  const double eps2 = CUBE(K * h);

  for (int v = 0; v < variables; ++v) {
    double min_value = mean[v], max_value = mean[v];
    for (int n = 0; n < corners; ++n) {
      min_value = fmin(min_value, nodal[n][v]);
      max_value = fmax(max_value, nodal[n][v]);
    }

    double smallest = 1.0;
    const double *g = gradient + v * dims;
    for (int n = 0; n < corners; ++n) {
      double delta = 0.0;
      for (int d = 0; d < dims; ++d) delta += g[d] * (x[n][d] - center[d]);
      if (delta == 0.0) continue;
      const double room = delta > 0.0 ? max_value - mean[v] : min_value - mean[v];
      smallest = std::min(smallest, slope_limiters::smooth(room, delta, eps2));
    }
    phi[v] = smallest;
  }
}

// Viscous flux through an edge's dual face: Newtonian stresses and heat conduction with Sutherland's viscosity.
static inline void viscous_flux(const double *xl, const double *xr, const double *ql, const double *qr,
                                const double *gradl, const double *gradr, const double *normal, double *resl,
                                double *resr) {
  enum { RHO, U, V, W, T }; /* of q; the gradients are those of u, v, w and T */
  const double R = 287.05, gam = 1.4, prandtl = 0.72;

  /* mean gradients, corrected such that they agree with the difference along the edge */
  const double dx[3] = {xr[0] - xl[0], xr[1] - xl[1], xr[2] - xl[2]};
  const double dist2 = dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2];
  double grad[4][3];
  for (int m = 0; m < 4; m++) {
    double along = 0.0;
    for (int d = 0; d < 3; d++) {
      grad[m][d] = 0.5 * (gradl[3 * m + d] + gradr[3 * m + d]);
      along += grad[m][d] * dx[d];
    }
    const double correction = (qr[U + m] - ql[U + m] - along) / dist2;
    for (int d = 0; d < 3; d++) grad[m][d] += correction * dx[d];
  }

  const double mu = sutherland_viscosity(0.5 * (ql[T] + qr[T]));
  const double conductivity = mu * gam * R / (gam - 1.0) / prandtl;
  const double divergence = grad[0][0] + grad[1][1] + grad[2][2];

  double tau[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      tau[i][j] = mu * (grad[i][j] + grad[j][i]);
      if (i == j) tau[i][j] -= 2.0 / 3.0 * mu * divergence;
    }

  const double vel[3] = {0.5 * (ql[U] + qr[U]), 0.5 * (ql[V] + qr[V]), 0.5 * (ql[W] + qr[W])};
  double flux[4] = {0.0, 0.0, 0.0, 0.0};
  for (int j = 0; j < 3; j++) {
    double work = conductivity * grad[3][j];
    for (int i = 0; i < 3; i++) {
      flux[i] += tau[i][j] * normal[j];
      work += tau[i][j] * vel[i];
    }
    flux[3] += work * normal[j];
  }

  for (int m = 0; m < 4; m++) {
    resl[m] -= flux[m];
    resr[m] += flux[m];
  }
}

// WENO weights of the three substencils among a cell's mean and its four nodes' values, and the reconstructed value.
inline void weno_weights(const double **nodes, const double *mean, double *weights, double *value) {
  constexpr std::array linear = {0.1, 0.6, 0.3};
  constexpr double epsilon = 1e-6;

  const std::array<double, 5> u = {*nodes[0], *nodes[1], *mean, *nodes[2], *nodes[3]};
  std::array<double, 3> candidates, alpha;
  candidates[0] = (2 * u[0] - 7 * u[1] + 11 * u[2]) / 6;
  candidates[1] = (-u[1] + 5 * u[2] + 2 * u[3]) / 6;
  candidates[2] = (2 * u[2] + 5 * u[3] - u[4]) / 6;

  const auto square = [](auto x) { return x * x; };
  const double smoothness[] = {
      13.0 / 12 * square(u[0] - 2 * u[1] + u[2]) + 0.25 * square(u[0] - 4 * u[1] + 3 * u[2]),
      13.0 / 12 * square(u[1] - 2 * u[2] + u[3]) + 0.25 * square(u[1] - u[3]),
      13.0 / 12 * square(u[2] - 2 * u[3] + u[4]) + 0.25 * square(3 * u[2] - 4 * u[3] + u[4]),
  };

  double sum = 0;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    alpha[k] = linear[k] / square(epsilon + smoothness[k]);
    sum += alpha[k];
  }
  for (auto &a : alpha) a /= sum;

  std::copy(alpha.begin(), alpha.end(), weights);
  *value = std::inner_product(alpha.begin(), alpha.end(), candidates.begin(), 0.0);
}

// Q criterion and magnitude of the vorticity from the velocity's gradient, and whether the cell is inside a vortex.
inline void q_criterion(const double *gradient, double *q, double *vorticity, int *inside) {
  const auto g = reinterpret_cast<const double(*)[3]>(gradient); // g[i][j] = du_i/dx_j

  auto strain = 0.0, rotation = 0.0;
  for (auto i = 0; i < 3; ++i) {
    for (auto j = 0; j < 3; ++j) {
      const auto s = 0.5 * (g[i][j] + g[j][i]);
      const auto o = 0.5 * (g[i][j] - g[j][i]);
      strain += s * s;
      rotation += o * o;
    }
  }
  *q = 0.5 * (rotation - strain);
  *vorticity = std::sqrt(2.0 * rotation);
  *inside = *q > 0.0;
}

// Gradient in a tetrahedron by Gauss's theorem, from the area vectors of its sides.
inline void vector_gradient(const double **x, const double **phi, const double *volume, double *gradient,
                            double *steepness) {
  using gradient_math::Vec3;

  const Vec3 corner[4] = {Vec3(x[0]), Vec3(x[1]), Vec3(x[2]), Vec3(x[3])};
  constexpr int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // side n is opposite to corner n

  const Vec3 middle = (corner[0] + corner[1] + corner[2] + corner[3]) / 4.0;
  Vec3 sum;
  for (int n = 0; n < 4; ++n) {
    const auto &[a, b, c] = side[n];
    Vec3 area = 0.5 * cross(corner[b] - corner[a], corner[c] - corner[a]);
    if (dot(area, corner[a] - middle) < 0.0) area = -area;
    sum += (phi[a][0] + phi[b][0] + phi[c][0]) / 3.0 * area;
  }
  sum *= 1.0 / volume[0];

  gradient[0] = sum.x();
  gradient[1] = sum.y();
  gradient[2] = sum.z();
  steepness[0] = sum.norm();
}

/* SPDX-License-Identifier: MIT */
