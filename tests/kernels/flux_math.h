// Small functions that several fluxes use: splittings, means, states.
#ifndef FLUX_MATH_H
#define FLUX_MATH_H

#include <algorithm>
#include <array>
#include <cmath>

#define SQR(x) ((x) * (x))

namespace flux_math {

constexpr double gamma = 1.4;
constexpr double gm1 = gamma - 1.0;
constexpr double pi = 3.14159265358979323846;

template <class T>
inline T sq(T v) {
  return v * v;
}

// Square of a vector's length, for two or three components.
template <int Dim, class T>
inline T length2(const T *v) {
  if constexpr (Dim == 2) {
    return sq(v[0]) + sq(v[1]);
  } else {
    static_assert(Dim == 3, "two or three components");
    return sq(v[0]) + sq(v[1]) + sq(v[2]);
  }
}

template <int Dim, class T>
inline T dot(const T *a, const T *b) {
  T sum = T(0);
  for (int i = 0; i < Dim; ++i) sum += a[i] * b[i];
  return sum;
}

struct Primitive {
  double rho, u, v, p;
};

inline Primitive to_primitive(const double *q) {
  Primitive w;
  w.rho = q[0];
  w.u = q[1] / q[0];
  w.v = q[2] / q[0];
  w.p = gm1 * (q[3] - 0.5 * w.rho * (w.u * w.u + w.v * w.v));
  return w;
}

inline double sound_speed(const Primitive &w) { return std::sqrt(gamma * w.p / w.rho); }

inline double total_enthalpy(const Primitive &w) {
  return gamma / gm1 * w.p / w.rho + 0.5 * (w.u * w.u + w.v * w.v);
}

// Splittings of Mach number and pressure, fourth and fifth degree; sign is +1 or -1.
inline double split_mach(double m, double sign) {
  constexpr double beta = 1.0 / 8.0;
  if (std::abs(m) >= 1.0) return 0.5 * (m + sign * std::abs(m));
  const double square = m * m - 1.0;
  return sign * (0.25 * sq(m + sign) + beta * square * square);
}

inline double split_pressure(double m, double sign) {
  constexpr double alpha = 3.0 / 16.0;
  return std::abs(m) >= 1.0 ? (m * sign > 0.0 ? 1.0 : 0.0)
                            : 0.25 * sq(m + sign) * (2.0 - sign * m) + sign * alpha * m * sq(m * m - 1.0);
}

// Logarithmic mean (a - b) / (log a - log b), by a series where a is close to b.
inline double log_mean(double a, double b) {
  const double ratio = a / b;
  const double f = (ratio - 1.0) / (ratio + 1.0);
  const double u = f * f;
  double value;
  if (u < 1.0e-2)
    value = 1.0 + u / 3.0 + u * u / 5.0 + u * u * u / 7.0 + u * u * u * u / 9.0;
  else
    value = std::log(ratio) / (2.0 * f);
  return 0.5 * (a + b) / value;
}

inline double average(double a, double b) { return 0.5 * (a + b); }

inline std::array<double, 4> primitive_array(const double *q) {
  const double u = q[1] / q[0], v = q[2] / q[0];
  return {q[0], u, v, gm1 * (q[3] - 0.5 * q[0] * (u * u + v * v))};
}

} // namespace flux_math

#endif // FLUX_MATH_H

/* SPDX-License-Identifier: MIT */
