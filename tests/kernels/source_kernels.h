// Source terms of turbulence and chemistry, time steps, stage updates and norms.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "source_math.h"

// Spalart-Allmaras production, destruction and diffusion source of a cell, and its derivative for an implicit solver.
inline void spalart_allmaras_source(const double *nu_tilde, const double *viscosity, const double *velocity_gradient,
                                    const double *nu_gradient, const double *wall_distance, const double *volume,
                                    double *residual, double *jacobian) {
  using namespace spalart_allmaras;

  const double nu = viscosity[0];
  const double nt = std::max(nu_tilde[0], 0.0);
  const double chi = nt / nu;

  // vorticity, from du_i/dx_j at [3 * i + j]
  const double wx = velocity_gradient[7] - velocity_gradient[5];
  const double wy = velocity_gradient[2] - velocity_gradient[6];
  const double wz = velocity_gradient[3] - velocity_gradient[1];
  const double omega = std::sqrt(wx * wx + wy * wy + wz * wz);

  const double d2 = wall_distance[0] * wall_distance[0];
  const double inv_k2d2 = 1.0 / (kappa * kappa * d2);
  const double s_tilde = std::max(omega + nt * inv_k2d2 * fv2(chi), std::max(0.3 * omega, 1.0e-10));
  const double r = std::min(nt * inv_k2d2 / s_tilde, 10.0);

  double production = cb1 * (1.0 - ft2(chi)) * s_tilde * nt;
  double destruction = (cw1 * fw(r) - cb1 * ft2(chi) / (kappa * kappa)) * std::pow(nt, 2) / d2;
  double diffusion = 0.0;
  for (int i = 0; i < 3; ++i) diffusion += nu_gradient[i] * nu_gradient[i];
  diffusion *= cb2 / sigma;

  residual[0] -= (production - destruction + diffusion) * volume[0];
  jacobian[0] = (cb1 * s_tilde - 2.0 * cw1 * fw(r) * nt / d2) * volume[0];
}

// Sources of k and omega in Menter's SST model, with its eddy viscosity and blending functions.
inline void sst_source(const double *flow, const double *turbulence, const double *velocity_gradient,
                       const double *k_gradient, const double *omega_gradient, const double *wall_distance,
                       double *source, double *eddy_viscosity, double *blending) {
  constexpr auto a1 = SstCoefficients::a1, beta_star = SstCoefficients::beta_star;
  const auto rho = flow[0], nu = flow[1] / flow[0];
  const auto k = std::max(turbulence[0], 1e-12), omega = std::max(turbulence[1], 1e-6);
  const auto d = *wall_distance;

  double strain2 = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double sij = 0.5 * (velocity_gradient[3 * i + j] + velocity_gradient[3 * j + i]);
      strain2 += 2 * sij * sij;
    }
  const double strain = std::sqrt(strain2);

  double dk_domega = 0;
  for (int i = 0; i < 3; ++i) dk_domega += k_gradient[i] * omega_gradient[i];
  const double cross_diffusion = 2 * rho * sst_outer.sigma_omega * dk_domega / omega;

  const double turbulent_length = std::sqrt(k) / (beta_star * omega * d);
  const double viscous_length = 500 * nu / (d * d * omega);
  const double arg1 = std::min(std::max(turbulent_length, viscous_length),
                               4 * rho * sst_outer.sigma_omega * k / (std::max(cross_diffusion, 1e-10) * d * d));
  const double arg2 = std::max(2 * turbulent_length, viscous_length);
  const double f1 = std::tanh(std::pow(arg1, 4)), f2 = std::tanh(arg2 * arg2);

  const auto blend = [f1](double inner, double outer) { return f1 * inner + (1 - f1) * outer; };
  const double beta = blend(sst_inner.beta, sst_outer.beta);
  const double gamma = blend(sst_inner.gamma, sst_outer.gamma);

  const double mu_t = rho * a1 * k / std::max(a1 * omega, strain * f2);
  const double production = std::clamp(mu_t * strain2, 0.0, 10 * beta_star * rho * k * omega);

  source[0] = production - beta_star * rho * k * omega;
  source[1] = gamma * rho / mu_t * production - beta * rho * omega * omega + (1 - f1) * cross_diffusion;
  *eddy_viscosity = mu_t;
  blending[0] = f1;
  blending[1] = f2;
}

// Smagorinsky eddy viscosity of a cell, and its share in the averages at the cell's nodes.
template <typename Real>
inline void smagorinsky_viscosity(const Real *gradient, const Real *volume, const Real *constant, Real *nu_t,
                                  Real **nodal) {
  const Real width = std::cbrt(volume[0]);
  Real magnitude = Real(0);
  for (int i = 0; i < 3; i++) {
    magnitude += Real(2) * gradient[4 * i] * gradient[4 * i];
    for (int j = i + 1; j < 3; j++) {
      const Real shear = gradient[3 * i + j] + gradient[3 * j + i];
      magnitude += shear * shear;
    }
  }
  const Real length = constant[0] * width;
  nu_t[0] = length * length * std::sqrt(magnitude);
  for (int n = 0; n < 4; n++) nodal[n][0] += Real(0.25) * volume[0] * nu_t[0];
}

namespace time_step {

// Primitive variables of a compressible flow.
struct Primitive {
  double rho, u, v, w, p;

  double speed() const { return std::hypot(u, v, w); }
  double sound_speed() const { return std::sqrt(1.4 * p / rho); }
};

inline Primitive primitive_of(const double *q) {
  const double u = q[1] / q[0], v = q[2] / q[0], w = q[3] / q[0];
  return {q[0], u, v, w, 0.4 * (q[4] - 0.5 * q[0] * (u * u + v * v + w * w))};
}

} // namespace time_step

// Largest stable time step of a cell from convection and diffusion, and the smallest one of the mesh.
inline void local_time_step(const double *conserved, const double *projected_area, const double *volume,
                            const double *viscosity, const double *cfl, double *step, double *smallest) {
  const time_step::Primitive state = time_step::primitive_of(conserved);
  const auto [rho, u, v, w, p] = state;
  const double c = state.sound_speed();

  const double convective = (std::abs(u) + c) * projected_area[0] + (std::abs(v) + c) * projected_area[1] +
                            (std::abs(w) + c) * projected_area[2];
  const double area2 = SQR(projected_area[0]) + SQR(projected_area[1]) + SQR(projected_area[2]);
  const double viscous = 4.0 * *viscosity / rho * area2 / *volume;

  double dt = *cfl * *volume / (convective + viscous);
  if (const double mach = state.speed() / c; mach < 0.3) // slow flow: low Mach number preconditioning allows more
    dt *= 1.0 + 0.5 * (0.3 - mach) * std::min(p, 1.0);
  *step = dt;
  *smallest = std::min(*smallest, dt);
}

#define NCOMP 4

// Sums of squares of the four residuals, and their largest magnitude anywhere.
static inline void residual_norms(const double *res, const double *vol, double *sum, double *biggest) {
  int i;
  double r, local = 0.0;

  for (i = 0; i < NCOMP; i++) {
    r = res[i] / vol[0];
    sum[i] += r * r;
    local = fabs(r) > local ? fabs(r) : local;
  }
  if (local > *biggest) *biggest = local;
}

// One stage of an explicit Runge-Kutta scheme: back to the old state, then a part of the full step.
static inline void runge_kutta_stage(const double *__restrict__ q_old, const double *__restrict__ residual,
                                     const double *__restrict__ dt, const double *__restrict__ volume,
                                     const double *__restrict__ alpha, const int *__restrict__ stage,
                                     double *__restrict__ q) {
  const double factor = alpha[*stage - 1] * (*dt) / (*volume);
  for (int n = 0; n < 5; ++n) q[n] = q_old[n] - factor * residual[n];
  if (q[0] < 1.0e-3) q[0] = 1.0e-3; /* keep the density positive */
}

// Williamson's low-storage Runge-Kutta update in single precision; the energy and the largest change are accumulated in
// double precision.
inline void low_storage_update(const float *rhs, const float *dt, const float *coefficients, float *u, float *du,
                               double *energy, double *change) {
  const float a = coefficients[0], b = coefficients[1];
  double sum = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    du[i] = a * du[i] + dt[0] * rhs[i];
    const float next = u[i] + b * du[i];
    largest = std::max(largest, static_cast<double>(std::fabs(next - u[i])));
    u[i] = next;
    sum += static_cast<double>(next) * static_cast<double>(next);
  }
  energy[0] += 0.5 * sum;
  if (largest > change[0]) change[0] = largest;
}

// Implicit Euler step of Robertson's stiff kinetics (three species), by Newton iterations with a dense 3x3 solve.
inline void stiff_chemistry(const double *step, const double *rate_constants, double *y) {
  constexpr int max_iterations = 20;
  constexpr double tolerance = 1e-12;

  const double dt = step[0];
  const double k1 = rate_constants[0], k2 = rate_constants[1], k3 = rate_constants[2];
  const double y_old[3] = {y[0], y[1], y[2]};
  double now[3] = {y[0], y[1], y[2]};

  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const double slow = k1 * now[0];
    const double fast = k2 * now[1] * now[1];
    const double back = k3 * now[1] * now[2];
    const double f[3] = {-slow + back, slow - back - fast, fast};

    const double df[3][3] = {{-k1, k3 * now[2], k3 * now[1]},
                             {k1, -k3 * now[2] - 2.0 * k2 * now[1], -k3 * now[1]},
                             {0.0, 2.0 * k2 * now[1], 0.0}};

    double matrix[3][3], delta[3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix[i][j] = (i == j ? 1.0 : 0.0) - dt * df[i][j];
      delta[i] = -(now[i] - y_old[i] - dt * f[i]);
    }
    chemistry::solve_dense(matrix, delta);

    double error = 0.0;
    for (int i = 0; i < 3; ++i) {
      now[i] += delta[i];
      error = std::max(error, std::abs(delta[i]));
    }
    if (error < tolerance) break;
  }

  for (int i = 0; i < 3; ++i) y[i] = std::max(now[i], 0.0);
}

// Molar production rates of four species from a small Arrhenius mechanism, and the heat that it releases.
inline void arrhenius_rates(const double *concentration, const double *temperature, double *production,
                            double *heat_release) {
  using chemistry::mechanism;
  using chemistry::Reaction;
  using chemistry::species_count;

  // below the ignition range the fit is not valid
  const double T = std::max(*temperature, 300.0);

  std::array<double, species_count> rates{};
  double heat = 0.0;
  for (const Reaction &reaction : mechanism) {
    double progress = reaction.constant(T);
    for (int s = 0; s < species_count; ++s)
      for (int order = 0; order < reaction.orders[s]; ++order) progress *= concentration[s];
    for (int s = 0; s < species_count; ++s) rates[s] += reaction.change[s] * progress;
    heat += reaction.heat * progress;
  }

  for (std::size_t s = 0; s < rates.size(); ++s) {
    const bool used_up = concentration[s] <= std::numeric_limits<double>::epsilon();
    production[s] = used_up ? std::max(rates[s], 0.0) : rates[s];
  }
  *heat_release = heat;
}

/* SPDX-License-Identifier: MIT */
