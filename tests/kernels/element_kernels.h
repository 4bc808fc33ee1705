// Element kernels of scalar problems, discontinuous Galerkin faces, boundary conditions and grid transfer.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>

#include "element_math.h"

// Gradients of the four linear shape functions of a tetrahedron (12 values) and its volume.
inline void tetrahedron_gradients(const double **x, double *grad, double *volume) {
  double J[3][3], det;
  int i, j;

  for (i = 0; i < 3; i++)
    for (j = 0; j < 3; j++) J[i][j] = x[i + 1][j] - x[0][j];

  det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
        J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);

  grad[0] = grad[1] = grad[2] = 0.0;
  for (i = 0; i < 3; i++) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (j = 0; j < 3; j++) {
      int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double g = (J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1]) / det;
      grad[3 * (i + 1) + j] = g;
      grad[j] -= g;
    }
  }
  *volume = fabs(det) / 6.0;
}

// Stiffness matrix of the Laplace operator on a linear tetrahedron, from area vectors.
inline void laplace_stiffness(const double **x, const double *conductivity, double *matrix) {
  using fem::cross;
  using fem::dot;
  using fem::Vec3;

  const Vec3 origin = fem::point(x[0]);
  const Vec3 a = fem::point(x[1]) - origin;
  const Vec3 b = fem::point(x[2]) - origin;
  const Vec3 c = fem::point(x[3]) - origin;

  std::array<Vec3, 4> normal;
  normal[1] = cross(b, c);
  normal[2] = cross(c, a);
  normal[3] = cross(a, b);
  normal[0] = -(normal[1] + normal[2] + normal[3]);

  const double scale = *conductivity / (6.0 * std::abs(dot(a, normal[1])));
  const fem::MatrixView<double, 4, 4> K(matrix);
  for (int i = 0; i < K.rows(); ++i) {
    for (int j = 0; j <= i; ++j) {
      K(i, j) = scale * dot(normal[i], normal[j]);
      K(j, i) = K(i, j);
    }
  }
}

// v += K u with the element matrix K, for a conjugate gradient step.
inline void stiffness_product(const double *K, const double **u, double **v) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) *v[i] += K[4 * i + j] * *u[j];
}

// Consistent mass matrix of a linear tetrahedron times u, never stored (single precision).
inline void consistent_mass(const float *volume, const float *u0, const float *u1, const float *u2, const float *u3,
                            float *r0, float *r1, float *r2, float *r3) {
  const float weight = volume[0] / 20.0f;
  const float sum = u0[0] + u1[0] + u2[0] + u3[0];

  r0[0] += weight * (sum + u0[0]);
  r1[0] += weight * (sum + u1[0]);
  r2[0] += weight * (sum + u2[0]);
  r3[0] += weight * (sum + u3[0]);
}

// Diffusion residual of a bilinear quadrilateral with 2x2 Gauss points.
inline void quadrilateral_diffusion(const double **x, const double **u, const double *kappa, double **residual) {
  using Shape = fem::BilinearQuad;
  using Rule = fem::Gauss2x2;

  for (int q = 0; q < Rule::points; ++q) {
    const auto &[xi, eta] = Rule::xi[q];

    double jacobian[2][2] = {{0, 0}, {0, 0}};
    double du[2] = {0, 0};
    for (int a = 0; a < Shape::corners; ++a) {
      const double dn[2] = {Shape::dxi(a, eta), Shape::deta(a, xi)};
      for (int k = 0; k < 2; ++k) {
        jacobian[k][0] += dn[k] * x[a][0];
        jacobian[k][1] += dn[k] * x[a][1];
        du[k] += dn[k] * u[a][0];
      }
    }

    const double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    const double inverse[2][2] = {{jacobian[1][1] / det, -jacobian[0][1] / det},
                                  {-jacobian[1][0] / det, jacobian[0][0] / det}};
    const double flux[2] = {kappa[0] * (inverse[0][0] * du[0] + inverse[0][1] * du[1]),
                            kappa[0] * (inverse[1][0] * du[0] + inverse[1][1] * du[1])};

    const double dv = Rule::weight[q] * std::abs(det);
    for (int a = 0; a < Shape::corners; ++a) {
      const double n_xi = Shape::dxi(a, eta), n_eta = Shape::deta(a, xi);
      const double dndx = inverse[0][0] * n_xi + inverse[0][1] * n_eta;
      const double dndy = inverse[1][0] * n_xi + inverse[1][1] * n_eta;
      residual[a][0] += dv * (dndx * flux[0] + dndy * flux[1]);
    }
  }
}

// Upwind face term of a discontinuous Galerkin method; the integer row has the local faces and the order of points.
inline void dg_face_term(const int *row, const double *face, const double *u_left, const double *u_right,
                         double *res_left, double *res_right) {
  static const int face_node[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const int left_face = row[0], right_face = row[1];
  const int *order = row + 2;

  double ul[3], ur[3];
  for (int i = 0; i < 3; ++i) {
    ul[i] = u_left[face_node[left_face][i]];
    ur[order[i]] = u_right[face_node[right_face][i]];
  }

  const double speed = face[0], area = face[1];
  double flux[3], total = 0.0;
  for (int i = 0; i < 3; ++i) {
    flux[i] = speed > 0.0 ? speed * ul[i] : speed * ur[i];
    total += flux[i];
  }

  for (int i = 0; i < 3; ++i) {
    res_left[face_node[left_face][i]] -= area / 12.0 * (total + flux[i]);
    res_right[face_node[right_face][i]] += area / 12.0 * (total + flux[order[i]]);
  }
}

// Heat conduction with a conductivity that is a power of the temperature.
inline void heat_conduction(const double *gradients, const double *volume, const double **temperature, double **heat) {
  constexpr double reference = 300.0, k_reference = 16.2, exponent = 0.72;
  const auto conductivity = [](double t) { return k_reference * std::pow(t / reference, exponent); };

  double mean = 0.0;
  double grad_t[3] = {};
  for (int a = 0; a < 4; ++a) {
    const double t = temperature[a][0];
    mean += 0.25 * t;
    for (int d = 0; d < 3; ++d) grad_t[d] += gradients[3 * a + d] * t;
  }

  const double k = conductivity(mean);
  for (int a = 0; a < 4; ++a) {
    double projection = 0.0;
    for (int d = 0; d < 3; ++d) projection += gradients[3 * a + d] * grad_t[d];
    heat[a][0] -= k * volume[0] * projection;
  }
}

// Lumped mass: a quarter of the mass of each tetrahedron to each of its nodes.
inline void lumped_mass(const double *volume, const double *density, double *mass[4]) {
  const double quarter = 0.25 * (*volume) * (*density);
  for (int a = 0; a < 4; ++a) mass[a][0] += quarter;
}

// Inverse of the lumped mass times the residual; nodes without mass stay still.
inline void inverse_lumped_mass(const double *mass, const double *residual, double *inverse, double *acceleration) {
  *inverse = *mass > 0 ? 1 / *mass : 0;
  for (int d = 0; d < 3; ++d) acceleration[d] = *inverse * residual[d];
}

// Multigrid restriction: a fine node in the middle of a coarse edge gives each end its share of the residual.
inline void multigrid_restriction(const double *fine, const double *weight, double *coarse0, double *coarse1) {
  fem::add_scaled<double, 3>(coarse0, *weight, fine);
  fem::add_scaled<double, 3>(coarse1, 1.0 - *weight, fine);
}

// Multigrid prolongation: the damped correction of two coarse cells, weighted by volume, added to the fine solution.
inline void multigrid_prolongation(const double *coarse0, const double *coarse1, const double *volume0,
                                   const double *volume1, double *fine) {
  static constexpr double damping = 0.8;
  const double share = volume0[0] / (volume0[0] + volume1[0]);
  for (int m = 0; m < 4; m++) {
    double correction = share * coarse0[m];
    correction += (1.0 - share) * coarse1[m];
    fine[m] += damping * correction;
  }
}

// Solution of the N x N system of a cell with a Cholesky factorization.
template <int N>
inline void cholesky_solve(const double *matrix, const double *rhs, double *solution) {
  const fem::Cholesky<N> factor(matrix);
  const auto x = factor.solve(rhs);
  for (int i = 0; i < N; ++i) solution[i] = x[static_cast<std::size_t>(i)];
}

// Sum of squares of a nodal residual with a fold expression, and its largest square.
inline void residual_norm(const double *r, double *sum, double *largest) {
  const double square = fem::sum_of_squares(r[0], r[1], r[2]);
  *sum += square;
  if (square > *largest) *largest = square;
}

// Dirichlet values: border nodes move with a rigid rotation about the z axis and a pulse in z.
inline void prescribed_motion(const double *x, const double *time, double *displacement) {
  const double angle = 0.1 * *time, c = std::cos(angle), s = std::sin(angle);
  displacement[0] = c * x[0] - s * x[1] - x[0];
  displacement[1] = s * x[0] + c * x[1] - x[1];
  displacement[2] = 0.01 * std::sin(2.0 * M_PI * (*time));
}

// Dirichlet condition by a penalty on the diagonal and the right-hand side; rows of free nodes (flag 0) stay.
inline void dirichlet_penalty(const int *flag, const double *value, const double *penalty, double *diagonal,
                              double *rhs) {
  if (!*flag) return;
  *diagonal += *penalty;
  *rhs += *penalty * *value;
}

/* SPDX-License-Identifier: MIT */
