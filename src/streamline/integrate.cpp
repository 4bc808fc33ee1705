#include "streamline/integrate.hpp"

#include "streamline/stages.hpp"

namespace op2::core::streamline {

namespace {

template <const Tableau &t, bool along>
Step step_of(const Field &field, Place &place, Nearby &nearby, const Vector &point, const Vector &velocity, double time,
             double h) {
  Place trial = place;
  Step out;
  Moved<double> moved;
  const auto sample = [&](const Vector &at, double share, Vector &found) __attribute__((always_inline)) {
    nearby.set_time(time + share * h);
    out.found = field.sample(at, trial, nearby, found);
    return out.found == Found::inside;
  };
  if (!make_step<t, along>(point, velocity, h, sample, moved)) return out;
  out.point = moved.point;
  out.velocity = moved.velocity;
  if constexpr (t.error[0] != 0) out.error = moved.error;
  place = trial;
  return out;
}

} // namespace

Step advance(const Field &field, Method method, Place &place, Nearby &nearby, const Vector &point,
             const Vector &velocity, double t, double h, bool along) {
  return with_tableau(method, along, [&]<const Tableau & table, bool by_length>() {
    return step_of<table, by_length>(field, place, nearby, point, velocity, t, h);
  });
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
