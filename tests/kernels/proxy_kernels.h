// Kernels of shock hydrodynamics on cells with eight corners, and of discontinuous Galerkin rows.
#ifndef PROXY_KERNELS_H
#define PROXY_KERNELS_H

#include <cmath>

#include "proxy_math.h"

// Forces of pressure and viscosity on the eight corners of a cell, and its volume.
static inline void hex_pressure_force(const double **node, const double *pressure, const double *viscosity,
                                      double *volume, double **force) {
  double x[8], y[8], z[8];
  double b[8][3];

  hydro::gather_corners(node, x, y, z);
  hydro::corner_areas(x, y, z, b);
  *volume = hydro::volume_within(x, y, z, b);

  const double sigma = -*pressure - *viscosity;
  for (int c = 0; c < 8; c++) {
    force[c][0] -= sigma * b[c][0];
    force[c][1] -= sigma * b[c][1];
    force[c][2] -= sigma * b[c][2];
  }
}

// Strain rates along the axes at the middle of the step, less their mean; the mean counts for the volume.
static inline void hex_strain_rates(const double **node, const double **velocity, const double *dt, double *strain,
                                    double *dilation) {
  double x[8], y[8], z[8], u[8], v[8], w[8];
  double b[3][8], d[6], det;
  const double half = 0.5 * *dt;

  hydro::gather_corners(node, x, y, z);
  hydro::gather_corners(velocity, u, v, w);
  for (int c = 0; c < 8; ++c) {
    x[c] -= half * u[c];
    y[c] -= half * v[c];
    z[c] -= half * w[c];
  }
  hydro::shape_derivatives(x, y, z, b, &det);

  /* symmetric part of the velocity gradient */
  const double inverse = 1.0 / (det > 0.0 ? det + 1e-3 : det - 1e-3);
  for (int k = 0; k < 6; ++k) d[k] = 0.0;
  for (int c = 0; c < 8; ++c) {
    d[0] += b[0][c] * u[c];
    d[1] += b[1][c] * v[c];
    d[2] += b[2][c] * w[c];
    d[3] += 0.5 * (b[1][c] * w[c] + b[2][c] * v[c]);
    d[4] += 0.5 * (b[0][c] * w[c] + b[2][c] * u[c]);
    d[5] += 0.5 * (b[1][c] * u[c] + b[0][c] * v[c]);
  }
  for (int k = 0; k < 6; ++k) d[k] *= inverse;

  const double mean = (d[0] + d[1] + d[2]) / 3.0;
  strain[0] = d[0] - mean;
  strain[1] = d[1] - mean;
  strain[2] = d[2] - mean;
  dilation[0] = 3.0 * mean;
  dilation[1] = std::sqrt(d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
}

// Volume of a cell against that at the start, and its characteristic length; inverted cells are marked.
inline void hex_relative_volume(const double **p, const double *reference, double *relative, double *length, int *bad) {
  using hydro::triple_product;

  const double x60 = p[6][0] - p[0][0], y60 = p[6][1] - p[0][1], z60 = p[6][2] - p[0][2];
  const double volume = (triple_product(p[3][0] - p[1][0] + p[7][0] - p[2][0], p[3][1] - p[1][1] + p[7][1] - p[2][1],
                                        p[3][2] - p[1][2] + p[7][2] - p[2][2], p[6][0] - p[3][0], p[6][1] - p[3][1],
                                        p[6][2] - p[3][2], p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]) +
                         triple_product(p[4][0] - p[3][0] + p[5][0] - p[7][0], p[4][1] - p[3][1] + p[5][1] - p[7][1],
                                        p[4][2] - p[3][2] + p[5][2] - p[7][2], p[6][0] - p[4][0], p[6][1] - p[4][1],
                                        p[6][2] - p[4][2], p[7][0] - p[0][0], p[7][1] - p[0][1], p[7][2] - p[0][2]) +
                         triple_product(p[1][0] - p[4][0] + p[2][0] - p[5][0], p[1][1] - p[4][1] + p[2][1] - p[5][1],
                                        p[1][2] - p[4][2] + p[2][2] - p[5][2], x60, y60, z60, p[5][0] - p[0][0],
                                        p[5][1] - p[0][1], p[5][2] - p[0][2])) /
                        12.0;

  *relative = volume / *reference;
  if (volume <= 0.0) {
    *length = 0.0;
    *bad = 1;
    return;
  }
  *bad = 0;

  double largest = 0.0, a;
#define FACE_AREA(i, j, k, l)                                                                                   \
  hydro::area_squared(p[i][0], p[j][0], p[k][0], p[l][0], p[i][1], p[j][1], p[k][1], p[l][1], p[i][2], p[j][2], \
                      p[k][2], p[l][2])
  a = FACE_AREA(0, 1, 2, 3);
  largest = a > largest ? a : largest;
  a = FACE_AREA(4, 5, 6, 7);
  largest = a > largest ? a : largest;
  a = FACE_AREA(0, 1, 5, 4);
  largest = a > largest ? a : largest;
  a = FACE_AREA(1, 2, 6, 5);
  largest = a > largest ? a : largest;
  a = FACE_AREA(2, 3, 7, 6);
  largest = a > largest ? a : largest;
  a = FACE_AREA(3, 0, 4, 7);
  largest = a > largest ? a : largest;
#undef FACE_AREA
  *length = 4.0 * volume / std::sqrt(largest + 1e-12);
}

// Forces against the four hourglass modes of a cell, which the strain rates do not see.
static inline void hourglass_resistance(const double **node, const double **velocity, const double *mass,
                                        const double *sound, double *f0, double *f1, double *f2, double *f3, double *f4,
                                        double *f5, double *f6, double *f7) {
  static const double gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                     {1, -1, -1, 1, -1, 1, 1, -1},
                                     {1, -1, 1, -1, 1, -1, 1, -1},
                                     {-1, 1, -1, 1, 1, -1, 1, -1}};
  double x[8], y[8], z[8], b[8][3], mode[4][8], force[8][3];

  hydro::gather_corners(node, x, y, z);
  hydro::corner_areas(x, y, z, b);
  const double volume = std::fabs(hydro::volume_within(x, y, z, b)) + 0.01;

  /* modes without their linear part */
  for (int m = 0; m < 4; m++) {
    double mx = 0.0, my = 0.0, mz = 0.0;
    for (int c = 0; c < 8; c++) {
      mx += gamma[m][c] * x[c];
      my += gamma[m][c] * y[c];
      mz += gamma[m][c] * z[c];
    }
    for (int c = 0; c < 8; c++) mode[m][c] = gamma[m][c] - (b[c][0] * mx + b[c][1] * my + b[c][2] * mz) / volume;
  }

  const double coefficient = -0.03 * *sound * *mass / std::cbrt(volume);
  for (int k = 0; k < 3; k++) {
    double h[4];
    for (int m = 0; m < 4; m++) {
      h[m] = 0.0;
      for (int c = 0; c < 8; c++) h[m] += mode[m][c] * velocity[c][k];
    }
    for (int c = 0; c < 8; c++)
      force[c][k] = coefficient * (mode[0][c] * h[0] + mode[1][c] * h[1] + mode[2][c] * h[2] + mode[3][c] * h[3]);
  }

  for (int k = 0; k < 3; k++) {
    f0[k] += force[0][k];
    f1[k] += force[1][k];
    f2[k] += force[2][k];
    f3[k] += force[3][k];
    f4[k] += force[4][k];
    f5[k] += force[5][k];
    f6[k] += force[6][k];
    f7[k] += force[7][k];
  }
}

// One stage of a Runge-Kutta method with two registers, on the 60 values of an element.
inline void dg_runge_kutta_row(const int *stage, const double *dt, const double *rhs, double *work, double *q) {
  static const double a[3] = {0.0, -5.0 / 9.0, -153.0 / 128.0};
  static const double b[3] = {1.0 / 3.0, 15.0 / 16.0, 8.0 / 15.0};
  const double keep = a[*stage];
  const double add = b[*stage];
  for (int i = 0; i < 60; ++i) {
    work[i] = keep * work[i] + *dt * rhs[i];
    q[i] = q[i] + add * work[i];
  }
}

// Derivatives of Lagrange polynomials through the ten Gauss-Lobatto points, at these points.
constexpr double lobatto_derivative[10][10] = {
    {-22.5, 30.4381450293, -12.1779467074, 6.94378848513, -4.5993547611, 3.29464303375, -2.45288417544, 1.8295639319,
     -1.27595483609, 0.5},
    {-5.07406470298, 0.0, 7.18550286971, -3.35166386275, 2.07820799404, -1.44494844875, 1.05915446365, -0.783239293138,
     0.543753738236, -0.212702758009},
    {1.20335199285, -4.25929735497, 0.0, 4.36867455701, -2.10435017941, 1.33491548388, -0.936603213139, 0.676797087196,
     -0.464274958908, 0.180786585489},
    {-0.52836937682, 1.52990263818, -3.3641258683, 0.0, 3.3873181012, -1.64649408399, 1.0461893655, -0.721237312722,
     0.483462326334, -0.186645789394},
    {0.312047255608, -0.845813573406, 1.4448503156, -3.0202179582, 0.0, 3.02518848775, -1.46805550939, 0.916555180336,
     -0.588082143045, 0.223527944742},
    {-0.223527944742, 0.588082143045, -0.916555180336, 1.46805550939, -3.02518848775, 0.0, 3.0202179582, -1.4448503156,
     0.845813573406, -0.312047255608},
    {0.186645789394, -0.483462326334, 0.721237312722, -1.0461893655, 1.64649408399, -3.3873181012, 0.0, 3.3641258683,
     -1.52990263818, 0.52836937682},
    {-0.180786585489, 0.464274958908, -0.676797087196, 0.936603213139, -1.33491548388, 2.10435017941, -4.36867455701,
     0.0, 4.25929735497, -1.20335199285},
    {0.212702758009, -0.543753738236, 0.783239293138, -1.05915446365, 1.44494844875, -2.07820799404, 3.35166386275,
     -7.18550286971, 0.0, 5.07406470298},
    {-0.5, 1.27595483609, -1.8295639319, 2.45288417544, -3.29464303375, 4.5993547611, -6.94378848513, 12.1779467074,
     -30.4381450293, 22.5},
};

// Volume integral of a discontinuous Galerkin line element: two quantities at ten points, one advected, one of Burgers.
template <int Points>
inline void dg_volume_integral(const double *u, const double *speed, const double *jacobian, double *rate) {
  double flux[2][Points];
  for (int i = 0; i < Points; ++i) {
    flux[0][i] = speed[0] * u[2 * i];
    flux[1][i] = 0.5 * u[2 * i + 1] * u[2 * i + 1];
  }
  const double scale = 1.0 / jacobian[0];
  for (int i = 0; i < Points; ++i) {
    double sum[2] = {0.0, 0.0};
    for (int j = 0; j < Points; ++j)
      for (int m = 0; m < 2; ++m) sum[m] += lobatto_derivative[i][j] * flux[m][j];
    rate[2 * i] = -scale * sum[0];
    rate[2 * i + 1] = -scale * sum[1];
  }
}

// Flux through a face of momentum, energy and vorticity between two cells, with vectors of three numbers.
inline void vector_face_flux(const double *left, const double *right, const double *area, const double *xl,
                             const double *xr, double *res_left, double *res_right) {
  using flow::Vec3;
  const Vec3 normal = {area[0], area[1], area[2]};
  const Vec3 apart = Vec3{xr[0], xr[1], xr[2]} - Vec3{xl[0], xl[1], xl[2]};
  const Vec3 ul = (1.0 / left[0]) * Vec3{left[1], left[2], left[3]};
  const Vec3 ur = (1.0 / right[0]) * Vec3{right[1], right[2], right[3]};
  const double pl = 0.4 * (left[4] - 0.5 * left[0] * dot(ul, ul));
  const double pr = 0.4 * (right[4] - 0.5 * right[0] * dot(ur, ur));

  const Vec3 mean = 0.5 * (ul + ur);
  const double through = dot(mean, normal);
  const double density = 0.5 * (left[0] + right[0]);
  const double pressure = 0.5 * (pl + pr);
  const Vec3 shear = (0.01 / (dot(apart, apart) + 0.1)) * cross(apart, cross(ur - ul, normal));
  const Vec3 momentum = density * through * mean + pressure * normal - shear;
  const double energy = through * (0.5 * (left[4] + right[4]) + pressure) - dot(shear, mean);

  res_left[0] -= density * through;
  res_left[1] -= momentum.x;
  res_left[2] -= momentum.y;
  res_left[3] -= momentum.z;
  res_left[4] -= energy;
  res_right[0] += density * through;
  res_right[1] += momentum.x;
  res_right[2] += momentum.y;
  res_right[3] += momentum.z;
  res_right[4] += energy;
}

#endif

/* SPDX-License-Identifier: MIT */
