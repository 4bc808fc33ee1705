// Kernels in styles of C++: standard algorithms, lambdas, bindings, functors, enumerations; and of C: macros, loops.
#ifndef STYLE_KERNELS_H
#define STYLE_KERNELS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "style_math.h"

// Robust averages of a cell's four nodal values: median, mean, weighted mean, range in the order of the flow.
inline void robust_cell_average(const double **nodal, const double *flow, double *average) {
  std::array<double, 4> value;
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = nodal[i][0];
  const auto largest = std::max_element(value.begin(), value.end());
  const double top = *largest;
  std::sort(value.begin(), value.end());

  std::array<double, 4> weight{};
  std::fill(weight.begin(), weight.end(), 1.0);
  weight.front() = weight.back() = 0.5;
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);

  double low = value.front(), high = top;
  if (flow[0] < 0.0) std::swap(low, high);
  average[0] = 0.5 * (value[1] + value[2]);
  average[1] = std::accumulate(value.cbegin(), value.cend(), 0.0) / 4.0;
  average[2] = std::inner_product(value.begin(), value.end(), weight.begin(), 0.0) / total;
  average[3] = high - low;
}

// Value at a point inside the cell, from its nodes by weights of inverse distance.
template <class Real>
void inverse_distance_value(const Real **x, const Real **value, const Real *point, Real *result) {
  Real weight[4];
  int corner = 0;
  for (Real &w : weight) {
    Real squared = Real(1e-2);
    for (const int axis : {0, 1, 2}) {
      const Real d = x[corner][axis] - point[axis];
      squared += d * d;
    }
    w = Real(1) / squared;
    ++corner;
  }
  Real sum{0};
  for (const auto w : weight) sum += w;
  for (auto &w : weight) w /= sum;
  *result = Real{};
  for (int i = 0; i < 4; ++i) *result += weight[i] * value[i][0];
}

// Limited central flux of two quantities through a face, van Albada's limiter as a lambda called at once.
inline void limited_face_flux(const double *left, const double *right, const double *slope, const double *speed,
                              double *res_left, double *res_right) {
  const double jump[2] = {right[0] - left[0], right[1] - left[1]};
  const auto spread = [&](int i, double amount) {
    res_left[i] -= amount;
    res_right[i] += amount;
  };
  for (int i = 0; i < 2; ++i) {
    const double limiter = [&] {
      const double a = slope[i], b = jump[i];
      if (a * b <= 0.0) return 0.0;
      return (a * b + std::abs(a * b)) / (a * a + b * b + 1e-12);
    }();
    double dissipation = 0.0;
    const auto damp = [&dissipation, &jump, i, limiter](double rate) { dissipation += rate * limiter * jump[i]; };
    damp(0.5 * std::abs(*speed));
    damp(0.05);
    spread(i, 0.5 * *speed * (left[i] + right[i]) - dissipation);
  }
}

// Length of the Collatz sequence that starts at the element's number, and its largest member.
inline void collatz_sequence(const int *start, int *steps, int *peak) {
  int n = *start;
  int count = 0;
  int top = n;
  while (n != 1) {
    if (n % 2 == 0)
      n /= 2;
    else
      n = 3 * n + 1;
    if (n > top) top = n;
    ++count;
  }
  *steps = count;
  *peak = top;
}

// Friction factor of a rough pipe (Colebrook and White) by fixed-point iteration, and the pressure drop.
static inline void colebrook_friction(const double *reynolds, const double *roughness, double *factor, double *drop)
{
  double x, last;
  int tries = 0;

  if (*reynolds < 2300.0) {
    *factor = 64.0 / *reynolds;
  } else {
    x = 7.0;
    do {
      last = x;
      x = -2.0 * log10(*roughness / 3.7 + 2.51 * last / *reynolds);
      tries++;
    } while (fabs(x - last) > 1.0e-13 * fabs(x) && tries < 60);
    *factor = 1.0 / (x * x);
  }
  *drop = 0.5 * *factor * SQR(*reynolds * 1.0e-5);
}

// State of a boundary node by the kind of its boundary: outflow, slip wall, wall, wall of given temperature, inflow.
inline void set_boundary_state(const int *kind, const double *normal, const double *given, double *q) {
  switch (*kind) {
    case 4:
      q[0] = given[0];
      q[1] = given[1];
      q[2] = given[2];
      q[3] = given[3];
      break;
    case 3:
      q[3] = q[0] * given[3];
      [[fallthrough]];
    case 2:
      q[1] = 0.0;
      q[2] = 0.0;
      // fall through
    case 1: {
      const double length2 = normal[0] * normal[0] + normal[1] * normal[1];
      const double through = (q[1] * normal[0] + q[2] * normal[1]) / length2;
      q[1] -= through * normal[0];
      q[2] -= through * normal[1];
      break;
    }
    case 0:
    case -1:
      q[3] = 0.5 * (q[3] + given[3]);
      break;
    default:
      break;
  }
}

// Principal stresses of a plane state, their angle, and the elastic wave speeds of an anisotropic solid.
inline void principal_stress(const double *stress, const double *stiffness, double *principal, double *speeds) {
  const auto [major, minor, angle] = plane_principal_values(stress[0], stress[1], stress[2]);
  principal[0] = major;
  principal[1] = minor;
  principal[2] = angle;
  const double centre = 0.5 * (stiffness[0] + stiffness[1]);
  const double determinant = stiffness[0] * stiffness[1] - SQR(stiffness[2]);
  auto [slow, fast] = roots_about_centre(centre, determinant);
  slow = std::max(slow, 0.0);
  speeds[0] = std::sqrt(slow);
  speeds[1] = std::sqrt(fast);
}

// Enthalpy of a gas above 298 K and the heat of a reaction along a ramp of temperature.
inline void enthalpy_by_quadrature(const double *temperature, const double *fraction, double *enthalpy) {
  const thermo::HeatCapacity<double> nitrogen{28.98641, 1.853978, -9.647459, 16.63537};
  const thermo::HeatCapacity<double> water{30.092, 6.832514, 6.793435, -2.53448};
  const double to = temperature[0];
  const double y = fraction[0];
  enthalpy[0] = (1.0 - y) * piecewise_gauss<2>(nitrogen, 298.15, to) + y * piecewise_gauss<2>(water, 298.15, to);
  enthalpy[1] = piecewise_gauss<3>(thermo::Arrhenius<double>{2.0e3, 4000.0}, 0.9 * to, to);
}

// Phase of the water in a cell, the number of cells in each phase, and the latent heat.
inline void classify_phase(const double *temperature, const double *pressure, int *phase, double *latent, int *count) {
  using thermo::Phase;
  const Phase now = thermo::phase_at(*temperature, *pressure);
  *phase = static_cast<int>(now);
  count[static_cast<int>(now)] += 1;
  switch (now) {
    case Phase::ice: *latent = 3.34e5; break;
    case Phase::liquid: *latent = 2.5e6 - 2.36e3 * (*temperature - 273.15); break;
    case Phase::vapour:
    case Phase::supercritical: *latent = 0.0; break;
  }
}

// Monotonised slopes of three quantities from backward, central and forward differences; marks of the clipped ones.
static inline void monotonised_slopes(const double *back, const double *central, const double *front, double *slope,
                                      int *marks)
{
  int i;
  double a, b, c, s;

  *marks = 0;
  for (i = 0; i < 3; i++) {
    a = 2.0 * back[i];
    b = central[i];
    c = 2.0 * front[i];
    s = a > 0 && b > 0 && c > 0 ? MIN3(a, b, c) : a < 0 && b < 0 && c < 0 ? MAX3(a, b, c) : 0.0;
    *marks <<= 1;
    *marks |= s != b;
    s *= 1.0 + 0.1 * SIGN(s);
    s -= 0.01 * SQR(s);
    s /= 1.0 + MAX3(fabs(a), fabs(b), fabs(c));
    slope[i] = s;
  }
  *marks ^= 0x5;
  *marks += 1;
  *marks %= 6;
}

// Extremes over the cells: density, signal speed, temperature, number of levels.
inline void extremes_of_cells(const double *q, const float *temperature, const int *level, double *largest,
                              double *smallest, float *hottest, int *deepest) {
  using std::max;
  const double speed = std::sqrt(q[1] * q[1] + q[2] * q[2]) / q[0];
  largest[0] = std::max(largest[0], q[0]);
  largest[1] = max(largest[1], speed);
  smallest[0] = std::min(q[0], smallest[0]);
  if (speed < smallest[1]) smallest[1] = speed;
  *hottest = std::max<float>(*hottest, *temperature);
  *deepest = std::max({*deepest, level[0], level[1]});
}

// Cylindrical coordinates of a velocity and invariants of a stress state, with the less common functions of <cmath>.
inline void swirl_invariants(const double *position, const double *velocity, const double *deviator, double *out) {
  const double x = position[0], y = position[1], z = position[2];
  const double radius = std::hypot(x, y);
  const double angle = std::atan2(y, x);
  const double radial = std::fma(velocity[0], x, velocity[1] * y) / radius;
  const double swirl = std::fma(velocity[1], x, -velocity[0] * y) / radius;
  const double third = deviator[0] * deviator[1] * deviator[2];
  const double ratio = swirl / (radial * z);
  out[0] = angle;
  out[1] = std::copysign(std::hypot(radial, swirl, velocity[2]), swirl);
  out[2] = std::cbrt(third);
  out[3] = std::isfinite(ratio) ? std::atan(ratio) : std::copysign(1.5707963267948966, swirl);
  out[4] = std::hypot(radius, z);
}

// What the program declares by op_decl_const().
static double gas_gamma;
static double damping[3];

// Speed of sound and damped wave speeds of a compressible flow, from constants that are set when the program runs.
inline void declared_wave_speeds(const double *q, double *speed, double *total) {
  using Real = double;
  const auto squared = [](Real x) { return x * x; };
  const Real kinetic = 0.5 * (squared(q[1]) + squared(q[2])) / q[0];
  const Real sound = std::sqrt(gas_gamma * (gas_gamma - 1.0) * (q[3] - kinetic) / q[0]);
  const Real waves[3] = {q[1] / q[0] - sound, q[1] / q[0], q[1] / q[0] + sound};
  Real sum = 0;
  for (int i = 0; i < 3; ++i) sum += damping[i] * std::abs(waves[i]);
  *speed = sound;
  *total += sum;
}

#endif

/* SPDX-License-Identifier: MIT */
