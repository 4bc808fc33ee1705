// The stages of explicit Runge-Kutta methods, for one particle (N = double) or for several (Many).
#pragma once

#include "streamline/integrate.hpp"

namespace op2::core::streamline {

inline constexpr int most_stages = 7;

struct Tableau {
  int stages; // those that the result needs; the error estimate also takes the velocity at the new point
  double a[most_stages][most_stages];
  double b[most_stages];
  double error[most_stages]; // b less the weights of the lower order
};

inline constexpr Tableau rk2 = {2, {{}, {0.5}}, {0, 1}, {}};
inline constexpr Tableau rk3 = {3, {{}, {0.5}, {-1, 2}}, {1.0 / 6, 4.0 / 6, 1.0 / 6}, {}};
inline constexpr Tableau rk4 = {4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}, {}};
inline constexpr Tableau dormand_prince = {
    6,
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};

// Calls act<tableau, along>() with those of the method.
template <class Act>
auto with_tableau(Method method, bool along, const Act &act) {
  switch (method) {
    case Method::rk2:
      return along ? act.template operator()<rk2, true>() : act.template operator()<rk2, false>();
    case Method::rk3:
      return along ? act.template operator()<rk3, true>() : act.template operator()<rk3, false>();
    case Method::rk4:
      return along ? act.template operator()<rk4, true>() : act.template operator()<rk4, false>();
    default:
      return along ? act.template operator()<dormand_prince, true>() : act.template operator()<dormand_prince, false>();
  }
}

template <class N>
OP2_INLINE Vectors<N> direction(const Vectors<N> &v) {
  const N by = N(1) / root(dot(v, v));
  return {v[0] * by, v[1] * by, v[2] * by};
}

// Where in the step a stage is.
template <const Tableau &t>
constexpr double when(int stage) {
  double out = 0;
  for (int i = 0; i < stage; ++i) out += t.a[stage][i];
  return out;
}

template <class N>
struct Moved {
  Vectors<N> point, velocity; // the velocity is at `point`
  N error;                    // an estimate of the largest component's, of methods that have one
};

// From a point with this velocity over the time h; along: over the length h, and velocities count by their direction.
// sample(point, share of h, velocity) looks up a velocity; false: the step is of no use to anybody. Then so is this.
template <const Tableau &t, bool along, class N, class Sample>
OP2_INLINE bool make_step(const Vectors<N> &point, const Vectors<N> &velocity, const N &h, const Sample &sample,
                          Moved<N> &out) {
  std::array<Vectors<N>, static_cast<std::size_t>(t.stages) + 1> slope;
  slope[0] = along ? direction(velocity) : velocity;
  // Factors that are zero are left out by the compiler.
  const auto moved = [&](const double *factor, int count) __attribute__((always_inline)) {
    Vectors<N> to;
    for (std::size_t k = 0; k < 3; ++k) {
      N sum(0);
#pragma GCC unroll 8
      for (int i = 0; i < count; ++i)
        if (factor[i] != 0) sum = sum + N(factor[i]) * slope[static_cast<std::size_t>(i)][k];
      to[k] = point[k] + h * sum;
    }
    return to;
  };
  Vectors<N> found;
#pragma GCC unroll 8
  for (int stage = 1; stage < t.stages; ++stage) {
    if (!sample(moved(t.a[stage], stage), when<t>(stage), found)) return false;
    slope[static_cast<std::size_t>(stage)] = along ? direction(found) : found;
  }
  out.point = moved(t.b, t.stages);
  if (!sample(out.point, 1.0, out.velocity)) return false;
  if constexpr (t.error[0] != 0) {
    slope[static_cast<std::size_t>(t.stages)] = along ? direction(out.velocity) : out.velocity;
    out.error = N(0);
    for (std::size_t k = 0; k < 3; ++k) {
      N sum(0);
#pragma GCC unroll 8
      for (int i = 0; i <= t.stages; ++i) sum = sum + N(t.error[i]) * slope[static_cast<std::size_t>(i)][k];
      const N its = h * sum, size = select(its < N(0), -its, its);
      out.error = select(out.error < size, size, out.error);
    }
  }
  return true;
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
