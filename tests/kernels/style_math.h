// Helpers of the kernels in lattice_kernels.h and style_kernels.h.
#ifndef STYLE_MATH_H
#define STYLE_MATH_H

#include <cmath>
#include <utility>

#define SQR(x) ((x) * (x))
#define CUBE(x) ((x) * (x) * (x))
#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define MIN3(a, b, c) MIN2(a, MIN2(b, c))
#define MAX3(a, b, c) MAX2(a, MAX2(b, c))
#define SIGN(x) (((x) > 0) - ((x) < 0))

namespace lattice {

// The nine velocities of D2Q9: rest, along the axes, along the diagonals.
constexpr int directions = 9;
constexpr int cx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int cy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int opposite[directions] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr double weight[directions] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                       1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

// Maxwell's distribution to second order in the velocity.
inline double equilibrium(int d, double density, double u, double v) {
  const double along = 3.0 * (cx[d] * u + cy[d] * v);
  return weight[d] * density * (1.0 + along + 0.5 * along * along - 1.5 * (u * u + v * v));
}

} // namespace lattice

namespace bits {

// One step of a 32-bit xorshift generator.
inline unsigned xorshift32(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Puts two zero bits between neighbouring bits of a 10-bit number.
inline unsigned spread_by_three(unsigned x) {
  x &= 0x3ffu;
  x = (x | (x << 16)) & 0x030000ffu;
  x = (x | (x << 8)) & 0x0300f00fu;
  x = (x | (x << 4)) & 0x030c30c3u;
  x = (x | (x << 2)) & 0x09249249u;
  return x;
}

} // namespace bits

// Eigenvalues of a symmetric 2x2 tensor and the angle of the first axis.
struct PlanePrincipal {
  double major, minor;
  double angle;
};

inline PlanePrincipal plane_principal_values(double xx, double yy, double xy) {
  const double centre = 0.5 * (xx + yy);
  const double half = 0.5 * (xx - yy);
  const double radius = std::sqrt(half * half + xy * xy);
  return {centre + radius, centre - radius, 0.5 * std::atan2(xy, half)};
}

// Both real roots of x^2 - 2 p x + q, the smaller one first.
inline std::pair<double, double> roots_about_centre(double p, double q) {
  const double discriminant = p * p - q;
  if (discriminant <= 0.0) return {p, p};
  const double root = std::sqrt(discriminant);
  return std::make_pair(p - root, p + root);
}

namespace thermo {

// Polynomial in T/1000 for the heat capacity of a gas.
template <class Real>
struct HeatCapacity {
  Real a, b, c, d;
  Real operator()(Real temperature) const {
    const Real t = temperature / Real(1000);
    return a + t * (b + t * (c + t * d));
  }
};

// Rate constant with an activation temperature.
template <typename Real>
struct Arrhenius {
  Real factor, activation;
  Real operator()(Real temperature) const { return factor * std::exp(-activation / temperature); }
};

// Phases of water.
enum class Phase : int { ice, liquid, vapour, supercritical };

// Saturation pressure by Antoine's equation, in pascals.
inline double saturation_pressure(double kelvin) {
  return 133.322 * std::pow(10.0, 8.07131 - 1730.63 / (kelvin - 39.724));
}

inline Phase phase_at(double kelvin, double pascal) {
  if (kelvin > 647.1 && pascal > 2.206e7) return Phase::supercritical;
  if (kelvin < 273.15) return Phase::ice;
  return pascal > saturation_pressure(kelvin) ? Phase::liquid : Phase::vapour;
}

} // namespace thermo

// Integral of a function by Gauss quadrature with three points on each of the pieces.
template <int Pieces, class Function>
double piecewise_gauss(const Function &f, double from, double to) {
  constexpr double points[3] = {-0.7745966692414834, 0.0, 0.7745966692414834};
  constexpr double weights[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  const double half = 0.5 * (to - from) / Pieces;
  double sum = 0.0;
  for (int piece = 0; piece < Pieces; ++piece) {
    const double middle = from + (2 * piece + 1) * half;
    for (int p = 0; p < 3; ++p) sum += weights[p] * f(middle + half * points[p]);
  }
  return half * sum;
}

#endif // STYLE_MATH_H

/* SPDX-License-Identifier: MIT */
