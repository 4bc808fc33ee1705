// One step along a field: explicit Runge-Kutta methods.
#pragma once

#include "streamline/field.hpp"

namespace op2::core::streamline {

enum class Method {
  rk2,           // midpoint
  rk3,           // Kutta's
  rk4,           // the classical one
  dormand_prince // order 5, with an error estimate of order 4: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19
};

struct Step {
  Found found = Found::inside; // else nothing of the rest is set
  Vector point{};
  Vector velocity{}; // at `point`
  double error = 0;  // Dormand-Prince: estimate of the largest component's
};

// From a point at this place and with this velocity, from time t over the time h (negative: backwards). along: the
// length is h and velocities count by their direction alone, and do not change. The place becomes that of the new point
// if all of the step is inside; else it stays.
Step advance(const Field &field, Method method, Place &place, Nearby &nearby, const Vector &point,
             const Vector &velocity, double t, double h, bool along = false);

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
