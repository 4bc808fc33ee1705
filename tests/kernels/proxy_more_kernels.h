// Kernels of viscous flow, finite elements, equations of state, boundaries, dense solvers, tables and bit masks.
#ifndef PROXY_MORE_KERNELS_H
#define PROXY_MORE_KERNELS_H

#include <algorithm>
#include <cmath>

#include "proxy_math.h"

// Flux of the Navier-Stokes equations through a face: Rusanov's with a viscous part from the cells' gradients.
inline void viscous_rusanov_flux(const double *ql, const double *qr, const double *gl, const double *gr,
                                 const double *n, const double *viscosity, double *rl, double *rr) {
  constexpr double gamma = 1.4;
  const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  double flux[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
  double fastest = 0.0;

  auto add_side = [&](const double *q, double weight) {
    const double u = q[1] / q[0], v = q[2] / q[0], w = q[3] / q[0];
    const double p = (gamma - 1.0) * (q[4] - 0.5 * q[0] * (u * u + v * v + w * w));
    const double through = u * n[0] + v * n[1] + w * n[2];
    flux[0] += weight * q[0] * through;
    flux[1] += weight * (q[1] * through + p * n[0]);
    flux[2] += weight * (q[2] * through + p * n[1]);
    flux[3] += weight * (q[3] * through + p * n[2]);
    flux[4] += weight * (q[4] + p) * through;
    fastest = std::max(fastest, std::abs(through) + size * std::sqrt(gamma * p / q[0]));
  };
  add_side(ql, 0.5);
  add_side(qr, 0.5);
  for (int m = 0; m < 5; ++m) flux[m] -= 0.5 * fastest * (qr[m] - ql[m]);

  // mean gradients: three of each of the velocities, three of the temperature
  const auto gradient = [&](int of, int axis) { return 0.5 * (gl[3 * of + axis] + gr[3 * of + axis]); };
  const double divergence = gradient(0, 0) + gradient(1, 1) + gradient(2, 2);
  const double mu = *viscosity;
  double work = 0.0;
  for (int i = 0; i < 3; ++i) {
    double tau_n = -2.0 / 3.0 * mu * divergence * n[i];
    for (int j = 0; j < 3; ++j) tau_n += mu * (gradient(i, j) + gradient(j, i)) * n[j];
    flux[1 + i] -= tau_n;
    work += tau_n * 0.5 * (ql[1 + i] / ql[0] + qr[1 + i] / qr[0]);
  }
  const double conduction = 3.5 * mu / 0.72 * (gradient(3, 0) * n[0] + gradient(3, 1) * n[1] + gradient(3, 2) * n[2]);
  flux[4] -= work + conduction;

  for (int m = 0; m < 5; ++m) {
    rl[m] -= flux[m];
    rr[m] += flux[m];
  }
}

// Two-wave flux (Harten, Lax, van Leer) of a plane flow in single precision, from primitive variables of both sides.
inline void hll_primitive_flux(const float *left, const float *right, const float *normal, const float *gas,
                               float *res_left, float *res_right) {
  const float gamma = *gas;
  float wl[5], wr[5], fl[4], fr[4];

  const auto primitive = [gamma](const float *q, float *w) {
    w[0] = q[0];
    w[1] = q[1] / q[0];
    w[2] = q[2] / q[0];
    w[3] = (gamma - 1.0f) * (q[3] - 0.5f * (q[1] * q[1] + q[2] * q[2]) / q[0]);
    w[4] = std::sqrt(gamma * w[3] / w[0]);
  };
  const auto through_face = [normal](const float *q, const float *w, float *f) {
    const float un = w[1] * normal[0] + w[2] * normal[1];
    f[0] = q[0] * un;
    f[1] = q[1] * un + w[3] * normal[0];
    f[2] = q[2] * un + w[3] * normal[1];
    f[3] = (q[3] + w[3]) * un;
    return un;
  };
  primitive(left, wl);
  primitive(right, wr);
  const float ul = through_face(left, wl, fl);
  const float ur = through_face(right, wr, fr);

  const float size = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
  const float slow = std::min(std::min(ul - size * wl[4], ur - size * wr[4]), 0.0f);
  const float fast = std::max(std::max(ul + size * wl[4], ur + size * wr[4]), 0.0f);
  for (int m = 0; m < 4; ++m) {
    const float f = (fast * fl[m] - slow * fr[m] + slow * fast * (right[m] - left[m])) / (fast - slow);
    res_left[m] -= f;
    res_right[m] += f;
  }
}

// Cotangent Laplacian of a triangle in space: each corner weighs the side that is opposite to it.
static inline void cotangent_laplacian(const double *x0, const double *x1, const double *x2, const double *u0,
                                       const double *u1, const double *u2, double *r0, double *r1, double *r2) {
  static const int next[3] = {1, 2, 0};
  const double u[3] = {*u0, *u1, *u2};
  double side[9], cot[3], r[3] = {0.0, 0.0, 0.0};
  int i, j;

  for (j = 0; j < 3; j++) {
    side[3 * 0 + j] = x2[j] - x1[j]; /* opposite to corner 0 */
    side[3 * 1 + j] = x0[j] - x2[j];
    side[3 * 2 + j] = x1[j] - x0[j];
  }
  for (i = 0; i < 3; i++) {
    const double *a = &side[3 * next[i]];
    const double *b = &side[3 * next[next[i]]];
    double along = 0.0, across = 0.0;
    for (j = 0; j < 3; j++) {
      const double n = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
      along -= a[j] * b[j];
      across += n * n;
    }
    cot[i] = along / sqrt(across + 1e-4);
  }
  for (i = 0; i < 3; i++) {
    const int p = next[i], q = (i + 2) % 3;
    const double flow = 0.5 * cot[i] * (u[p] - u[q]);
    r[p] += flow;
    r[q] -= flow;
  }
  *r0 += r[0];
  *r1 += r[1];
  *r2 += r[2];
}

// Energy, pressure and speed of sound of a cell after a step: a predictor with half the work, then the corrector.
static inline void energy_and_sound(const double *relative_volume, const double *change, const double *viscosity,
                                    double *energy, double *pressure, double *sound) {
  const hydro::Cutoffs cut = {1.0e-7, 1.0e-7, 1.0e-7};
  const double volume = relative_volume[0];
  const double compression = 1.0 / volume - 1.0;
  const double half = 1.0 / (volume - 0.5 * *change) - 1.0;
  double e, p;

  const double first = -0.5 * *change * (*pressure + *viscosity);
  const double c_half = hydro::sound_speed(*energy, first, half, -1.0e15, volume, cut, e, p);
  double q = 0.0;
  if (*change < 0.0) {
    q = c_half * *viscosity;
    if (q < cut.viscosity) q = 0.0;
  }
  const double second = first - 0.25 * *change * (p + q);
  const double c = hydro::sound_speed(*energy, second, compression, 0.05, volume, cut, e, p);
  *energy = e;
  *pressure = p;
  *sound = c;
}

enum wall_kind { WALL_STILL = 1, WALL_SLIP = 2, WALL_INFLOW = 3, WALL_OUTFLOW = 4 };

// Residual of a boundary node: nodes that are not on the boundary of the flow keep the flux of their own pressure.
inline void boundary_by_flag(const int *flag, const double *normal, const double *outside, const double *q,
                             double *residual) {
  const double pressure = 0.4 * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0]);
  if (*flag == 0) {
    residual[1] += pressure * normal[0];
    residual[2] += pressure * normal[1];
    return;
  }
  if (*flag < 0) return;

  double ghost[4];
  const double through = q[1] * normal[0] + q[2] * normal[1];
  const double length2 = normal[0] * normal[0] + normal[1] * normal[1];
  switch (*flag) {
    case WALL_STILL:
      ghost[0] = q[0];
      ghost[1] = -q[1];
      ghost[2] = -q[2];
      ghost[3] = q[3];
      break;
    case WALL_SLIP:
      ghost[0] = q[0];
      ghost[1] = q[1] - 2.0 * through / length2 * normal[0];
      ghost[2] = q[2] - 2.0 * through / length2 * normal[1];
      ghost[3] = q[3];
      break;
    case WALL_INFLOW:
      for (int m = 0; m < 4; ++m) ghost[m] = outside[m];
      break;
    default:
      for (int m = 0; m < 4; ++m) ghost[m] = q[m];
      if (through < 0.0) ghost[3] = outside[3];
      break;
  }
  const double ghost_through = ghost[1] * normal[0] + ghost[2] * normal[1];
  const double ghost_pressure = 0.4 * (ghost[3] - 0.5 * (ghost[1] * ghost[1] + ghost[2] * ghost[2]) / ghost[0]);
  const double speed = std::fabs(through) / q[0] + std::sqrt(1.4 * std::fabs(pressure) / q[0] * length2);
  residual[0] += 0.5 * (through + ghost_through - speed * (ghost[0] - q[0]));
  residual[1] += 0.5 * ((pressure + ghost_pressure) * normal[0] - speed * (ghost[1] - q[1]));
  residual[2] += 0.5 * ((pressure + ghost_pressure) * normal[1] - speed * (ghost[2] - q[2]));
  residual[3] += 0.5 * ((q[3] + pressure) * through / q[0] + (ghost[3] + ghost_pressure) * ghost_through / ghost[0] -
                        speed * (ghost[3] - q[3]));
}

// Implicit step of one cell: the 5x5 block from the state and the spectral radius, eliminated without pivots.
inline void point_implicit_step(const double *q, const double *area, const double *rhs, const double *dt, double *dq) {
  double block[5][5], b[5];
  const double u[3] = {q[1] / q[0], q[2] / q[0], q[3] / q[0]};
  const double k = 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double h = 1.4 * q[4] / q[0] - 0.4 * k;
  const double un = u[0] * area[0] + u[1] * area[1] + u[2] * area[2];
  const double radius =
      std::abs(un) + std::sqrt(0.4 * (h - k) * (area[0] * area[0] + area[1] * area[1] + area[2] * area[2]));

  block[0][0] = 0.0;
  block[0][4] = 0.0;
  block[4][0] = un * (0.4 * k - h);
  block[4][4] = 1.4 * un;
  for (int i = 0; i < 3; ++i) {
    block[0][1 + i] = area[i];
    block[1 + i][0] = 0.4 * k * area[i] - u[i] * un;
    block[1 + i][4] = 0.4 * area[i];
    block[4][1 + i] = h * area[i] - 0.4 * u[i] * un;
    for (int j = 0; j < 3; ++j) block[1 + i][1 + j] = u[i] * area[j] - 0.4 * u[j] * area[i] + (i == j ? un : 0.0);
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) block[i][j] *= 0.5;
    block[i][i] += 1.0 / *dt + radius;
    b[i] = -rhs[i];
  }
  flow::eliminate<double, 5>(block, b);
  for (int i = 0; i < 5; ++i) dq[i] = b[i];
}

// Thermal conductivity and heat content of a solid, from a table over the temperature, in single precision.
template <class T>
static inline void tabulated_conductivity(const T *temperature, const T *gradient, T *conductivity, T *heat_flux) {
  constexpr int entries = 12;
  constexpr T at[entries] = {200, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1200, 1500};
  constexpr T value[entries] = {T(237.0), T(235.5), T(236.8), T(238.9), T(240.1), T(236.2),
                                T(231.4), T(225.0), T(218.3), T(93.1),  T(98.7),  T(105.4)};
  const T t = *temperature;
  int i;
  for (i = 0; i < entries - 2; ++i) {
    if (t < at[i + 1]) break;
  }
  T along = (t - at[i]) / (at[i + 1] - at[i]);
  if (along < T(0)) along = T(0);
  if (along > T(1)) along = T(1);
  const T k = value[i] + along * (value[i + 1] - value[i]);
  *conductivity = k;
  for (int axis = 0; axis < 3; ++axis) heat_flux[axis] = -k * gradient[axis];
}

#define SIDE_MINUS 0x003
#define SIDE_MINUS_SYMM 0x001
#define SIDE_MINUS_FREE 0x002
#define SIDE_PLUS 0x00c
#define SIDE_PLUS_SYMM 0x004
#define SIDE_PLUS_FREE 0x008

// Monotonic limiter of the artificial viscosity between two neighbours, in two directions; a bit mask says where the
// mesh ends and what is there.
static inline void monotonic_viscosity(const int *mask, const double *here, const double *minus, const double *plus,
                                       double *limited, double *viscosity) {
  double sum = 0.0;

  for (int d = 0; d < 2; d++) {
    const int bits = *mask >> (4 * d);
    const double norm = 1.0 / (here[d] + (here[d] < 0.0 ? -1.0e-3 : 1.0e-3));
    double below, above, phi;

    switch (bits & SIDE_MINUS) {
      case 0:
        below = minus[d];
        break;
      case SIDE_MINUS_SYMM:
        below = here[d];
        break;
      case SIDE_MINUS_FREE:
        below = 0.0;
        break;
      default:
        below = 0.5 * minus[d];
        break;
    }
    switch (bits & SIDE_PLUS) {
      case 0:
        above = plus[d];
        break;
      case SIDE_PLUS_SYMM:
        above = here[d];
        break;
      case SIDE_PLUS_FREE:
        above = 0.0;
        break;
      default:
        above = 0.5 * plus[d];
        break;
    }

    below *= norm;
    above *= norm;
    phi = 0.5 * (below + above);
    below *= 2.0;
    above *= 2.0;
    if (below < phi) phi = below;
    if (above < phi) phi = above;
    if (phi < 0.0) phi = 0.0;
    if (phi > 1.0) phi = 1.0;
    limited[d] = phi;

    if ((*mask & 0x100) && here[d] > 0.0) continue;
    const double jump = here[d] > 0.0 ? 0.0 : here[d];
    sum += jump * jump * (1.0 - phi * phi) - 0.5 * jump * (1.0 - phi);
  }
  *viscosity = sum;
}

#endif

/* SPDX-License-Identifier: MIT */
