#include "streamline/integrate.hpp"

#include <algorithm>
#include <cmath>

namespace op2::core::streamline {

namespace {

constexpr int most_stages = 7;

struct Tableau {
  int stages; // those that the result needs; the error estimate also takes the velocity at the new point
  double a[most_stages][most_stages];
  double b[most_stages];
  double error[most_stages]; // b less the weights of the lower order
};

constexpr Tableau rk2 = {2, {{}, {0.5}}, {0, 1}, {}};
constexpr Tableau rk3 = {3, {{}, {0.5}, {-1, 2}}, {1.0 / 6, 4.0 / 6, 1.0 / 6}, {}};
constexpr Tableau rk4 = {4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}, {}};
constexpr Tableau dormand_prince = {
    6,
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};

Vector direction(const Vector &v) {
  const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double by = 1 / speed;
  return {v[0] * by, v[1] * by, v[2] * by};
}

// Where in the step a stage is.
template <const Tableau &t>
constexpr double when(int stage) {
  double out = 0;
  for (int i = 0; i < stage; ++i) out += t.a[stage][i];
  return out;
}

template <const Tableau &t, bool along>
Step step_of(const Field &field, Place &place, Nearby &nearby, const Vector &point, const Vector &velocity, double time,
             double h) {
  Place trial = place;
  std::array<Vector, static_cast<std::size_t>(t.stages) + 1> slope;
  slope[0] = along ? direction(velocity) : velocity;
  Step out;
  // Factors that are zero are left out by the compiler.
  const auto moved = [&](const double *factor, int count) __attribute__((always_inline)) {
    Vector sum{};
    for (int i = 0; i < count; ++i)
      if (factor[i] != 0)
        for (std::size_t k = 0; k < 3; ++k) sum[k] += factor[i] * slope[static_cast<std::size_t>(i)][k];
    Vector to;
    for (std::size_t k = 0; k < 3; ++k) to[k] = point[k] + h * sum[k];
    return to;
  };
  Vector found;
#pragma GCC unroll 8
  for (int stage = 1; stage < t.stages; ++stage) {
    nearby.set_time(time + when<t>(stage) * h);
    out.found = field.sample(moved(t.a[stage], stage), trial, nearby, found);
    if (out.found != Found::inside) return out;
    slope[static_cast<std::size_t>(stage)] = along ? direction(found) : found;
  }
  out.point = moved(t.b, t.stages);
  nearby.set_time(time + h);
  out.found = field.sample(out.point, trial, nearby, out.velocity);
  if (out.found != Found::inside) return out;
  if constexpr (t.error[0] != 0) {
    slope[static_cast<std::size_t>(t.stages)] = along ? direction(out.velocity) : out.velocity;
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i <= t.stages; ++i) sum += t.error[i] * slope[static_cast<std::size_t>(i)][k];
      out.error = std::max(out.error, std::abs(h * sum));
    }
  }
  place = trial;
  return out;
}

} // namespace

Step advance(const Field &field, Method method, Place &place, Nearby &nearby, const Vector &point,
             const Vector &velocity, double t, double h, bool along) {
  const auto by = [&]<const Tableau & table>() {
    return along ? step_of<table, true>(field, place, nearby, point, velocity, t, h)
                 : step_of<table, false>(field, place, nearby, point, velocity, t, h);
  };
  switch (method) {
    case Method::rk2:
      return by.template operator()<rk2>();
    case Method::rk3:
      return by.template operator()<rk3>();
    case Method::rk4:
      return by.template operator()<rk4>();
    default:
      return by.template operator()<dormand_prince>();
  }
}

} // namespace op2::core::streamline
