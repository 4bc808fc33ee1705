// Element kernels of solid mechanics: elasticity, finite strain, plasticity, creep, hourglass control.
#ifndef SOLID_KERNELS_H
#define SOLID_KERNELS_H

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "element_math.h"

#define SQR(x) ((x) * (x))
#define NEN 4           /* nodes of an element */
#define NDF 3           /* unknowns of a node */
#define NST (NEN * NDF) /* unknowns of an element */

namespace solid {

typedef double real;

// Order of the components of symmetric tensors; strains have engineering shears.
enum Voigt { XX, YY, ZZ, XY, YZ, ZX, N_STRESS };

// Strain-displacement matrix of a linear tetrahedron and its volume.
static inline real strain_matrix(const real **x, real B[N_STRESS][NST]) {
  fem::Mat3<real> J;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) J(i, j) = x[j + 1][i] - x[0][i];
  const fem::Mat3<real> inv = J.inverse();

  memset(B, 0, sizeof(real) * N_STRESS * NST);
  for (int a = 0; a < NEN; a++) {
    real g[3];
    for (int j = 0; j < 3; j++) g[j] = a == 0 ? -(inv(0, j) + inv(1, j) + inv(2, j)) : inv(a - 1, j);
    const int c = NDF * a;
    B[XX][c] = B[XY][c + 1] = B[ZX][c + 2] = g[0];
    B[YY][c + 1] = B[XY][c] = B[YZ][c + 2] = g[1];
    B[ZZ][c + 2] = B[YZ][c + 1] = B[ZX][c] = g[2];
  }
  return fabs(J.det()) / 6.0;
}

struct Lame {
  double lambda, mu;
};

// Lame parameters from Young's modulus and Poisson's ratio.
constexpr Lame lame(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

// Deviator of a symmetric tensor, with what the return mapping wants to know about it.
struct Deviator {
  double s[N_STRESS];
  double mean;

  double norm() const {
    const double diagonal = SQR(s[XX]) + SQR(s[YY]) + SQR(s[ZZ]);
    const double shear = SQR(s[XY]) + SQR(s[YZ]) + SQR(s[ZX]);
    return std::sqrt(diagonal + 2.0 * shear);
  }
};

} // namespace solid

// Residual of linear elasticity on a tetrahedron: r += V B^T D B u; Lame parameters come from a table of materials.
inline void elasticity_residual(const double **x, const double **u, const int *material, const double *lame,
                                double **r) {
  using namespace solid;
  real B[N_STRESS][NST], ue[NST], eps[N_STRESS], sig[N_STRESS];
  const real lambda = lame[2 * material[0]], mu = lame[2 * material[0] + 1];
  const real vol = strain_matrix(x, B);

  for (int a = 0; a < NEN; a++) memcpy(ue + NDF * a, u[a], NDF * sizeof(real));

  for (int i = 0; i < N_STRESS; i++) {
    eps[i] = 0;
    for (int k = 0; k < NST; k++) eps[i] += B[i][k] * ue[k];
  }

  const real trace = eps[XX] + eps[YY] + eps[ZZ];
  for (int i = XX; i <= ZZ; i++) sig[i] = lambda * trace + 2 * mu * eps[i];
  for (int i = XY; i <= ZX; i++) sig[i] = mu * eps[i];

  for (int k = 0; k < NST; k++) {
    real sum = 0;
    for (int i = 0; i < N_STRESS; i++) sum += B[i][k] * sig[i];
    r[k / NDF][k % NDF] += vol * sum;
  }
}

// Stiffness matrix of linear elasticity on a tetrahedron, 12 x 12, from the gradients of the shape functions.
inline void elasticity_stiffness(const double *gradients, const double *volume, const double *young_poisson,
                                 double *stiffness) {
  const auto [lambda, mu] = solid::lame(young_poisson[0], young_poisson[1]);
  const double(*g)[3] = reinterpret_cast<const double(*)[3]>(gradients);
  double(*K)[NST] = reinterpret_cast<double(*)[NST]>(stiffness);

  for (int a = 0; a < NEN; ++a) {
    for (int b = 0; b < NEN; ++b) {
      const double ab = std::inner_product(g[a], g[a] + 3, g[b], 0.0);
      for (int i = 0; i < NDF; ++i)
        for (int j = 0; j < NDF; ++j) {
          double entry = lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i];
          if (i == j) entry += mu * ab;
          K[NDF * a + i][NDF * b + j] = *volume * entry;
        }
    }
  }
}

// Cauchy stress of a compressible Neo-Hookean solid and the nodal forces of the tetrahedron.
inline void neo_hookean_stress(const double *gradients, const double *volume, const double **displacement,
                               const double *lame, double *cauchy, double **force) {
  using Matrix = fem::Mat3<double>;
  const double lambda = lame[0], mu = lame[1];

  Matrix F = Matrix::identity();
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) F(i, j) += displacement[a][i] * gradients[3 * a + j];

  const double J = F.det();
  const Matrix F_inverse_t = F.inverse().transpose();
  const Matrix P = mu * (F - F_inverse_t) + (lambda * std::log(J)) * F_inverse_t;
  const Matrix sigma = (1.0 / J) * (P * F.transpose());

  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) cauchy[3 * i + j] = sigma(i, j);

  for (int a = 0; a < 4; ++a) {
    const double *g = &gradients[3 * a];
    for (int i = 0; i < 3; ++i) force[a][i] -= *volume * (P(i, 0) * g[0] + P(i, 1) * g[1] + P(i, 2) * g[2]);
  }
}

// Radial return mapping of J2 plasticity with linear isotropic hardening; the plastic state is kept in the cell.
inline void j2_return_mapping(const double *strain, const double *constants, double *plastic_strain, double *alpha,
                              double *stress, int *yielded) {
  using namespace solid;
  const double bulk = constants[0], shear = constants[1], yield = constants[2], hardening = constants[3];
  const double root = std::sqrt(2.0 / 3.0);

  double elastic[N_STRESS];
  for (int i = 0; i < N_STRESS; ++i) elastic[i] = strain[i] - plastic_strain[i];
  const double volumetric = elastic[XX] + elastic[YY] + elastic[ZZ];

  Deviator trial;
  trial.mean = bulk * volumetric;
  for (int i = 0; i < N_STRESS; ++i)
    trial.s[i] = i < XY ? 2.0 * shear * (elastic[i] - volumetric / 3.0) : shear * elastic[i];

  const double size = trial.norm();
  const double f = size - root * (yield + hardening * *alpha);

  if (f <= 1e-10 * yield) { // elastic
    for (int i = 0; i < N_STRESS; ++i) stress[i] = trial.s[i] + (i < XY ? trial.mean : 0.0);
    return;
  }

  const double multiplier = f / (2.0 * shear + 2.0 / 3.0 * hardening);
  *alpha += root * multiplier;
  for (int i = 0; i < N_STRESS; ++i) {
    const double direction = trial.s[i] / size;
    plastic_strain[i] += (i < XY ? 1.0 : 2.0) * multiplier * direction;
    stress[i] = trial.s[i] - 2.0 * shear * multiplier * direction;
  }
  for (int i : {XX, YY, ZZ}) stress[i] += trial.mean;
  ++*yielded;
}

// Implicit step of Norton's creep law: Newton iterations for the creep increment of the cell.
inline void creep_newton(const double *trial_stress, const double *shear_modulus, const double *step, double *creep,
                         double *stress, double *largest) {
  constexpr int max_iterations = 30;
  constexpr double exponent = 4.5, tolerance = 1e-12;
  const double three_g = 3.0 * shear_modulus[0];

  double increment = 0.0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const double q = std::max(trial_stress[0] - three_g * increment, 0.0);
    const double rate = step[0] * std::pow(q, exponent - 1.0);
    const double residual = increment - rate * q;
    if (std::fabs(residual) < tolerance) break;
    const double slope = 1.0 + exponent * three_g * rate;
    increment -= residual / slope;
  }

  creep[0] += increment;
  stress[0] = trial_stress[0] - three_g * increment;
  largest[0] = std::max(largest[0], increment);
}

// Hourglass forces of a quadrilateral with one integration point (viscous, Flanagan and Belytschko's vectors).
inline void hourglass_control(const double **x, const double **v, const double *coefficient, double **f) {
  static const int around[4] = {0, 1, 3, 2}; /* corners in the order of the boundary */
  static const double h[4] = {1.0, -1.0, 1.0, -1.0};
  double X[4], Y[4], bx[4], by[4], gam[4];
  double area, hx = 0.0, hy = 0.0, qx = 0.0, qy = 0.0, len;
  int i;

  for (i = 0; i < 4; i++) {
    X[i] = x[around[i]][0];
    Y[i] = x[around[i]][1];
    hx += h[i] * X[i];
    hy += h[i] * Y[i];
  }
  area = 0.5 * ((X[2] - X[0]) * (Y[3] - Y[1]) + (X[1] - X[3]) * (Y[2] - Y[0]));

  for (i = 0; i < 4; i++) {
    int next = (i + 1) & 3, last = (i + 3) & 3;
    bx[i] = 0.5 * (Y[next] - Y[last]);
    by[i] = 0.5 * (X[last] - X[next]);
  }
  for (i = 0; i < 4; i++) {
    gam[i] = 0.25 * (h[i] - (hx * bx[i] + hy * by[i]) / area);
    qx += gam[i] * v[around[i]][0];
    qy += gam[i] * v[around[i]][1];
  }

  len = sqrt(fabs(area));
  for (i = 0; i < 4; i++) {
    f[around[i]][0] -= *coefficient * len * qx * gam[i];
    f[around[i]][1] -= *coefficient * len * qy * gam[i];
  }
}

#undef SQR

#endif

/* SPDX-License-Identifier: MIT */
