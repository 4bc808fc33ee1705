#include "streamline/streamline.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace op2::core::streamline {

const char *name_of(End end) {
  switch (end) {
    case End::running:
      return "running";
    case End::steps:
      return "steps";
    case End::time:
      return "time";
    case End::length:
      return "length";
    case End::slow:
      return "slow";
    case End::left:
      return "left";
    case End::outside:
      return "outside";
    case End::no_number:
      return "no number";
    case End::lost:
      return "lost";
  }
  return "";
}

void check(const Options &options) {
  const auto positive = [](double value, const char *name) {
    if (!(value > 0)) fail(OP_ERR_ARGUMENT, "tracing: ", name, " is ", value, "; it must be greater than 0");
  };
  positive(options.step, "the step");
  if (!std::isfinite(options.step)) fail(OP_ERR_ARGUMENT, "tracing: the step is not finite");
  if (options.method == Method::dormand_prince) positive(options.tolerance, "the tolerance");
  positive(options.longest_step, "the longest step");
  positive(options.longest_time, "the longest time");
  positive(options.longest, "the longest length");
  if (!(options.least_speed >= 0)) fail(OP_ERR_ARGUMENT, "tracing: the least speed is ", options.least_speed);
  if (!(options.shortest_step >= 0) || options.shortest_step > options.longest_step)
    fail(OP_ERR_ARGUMENT, "tracing: the shortest step is ", options.shortest_step, ", the longest ",
         options.longest_step);
  if (options.most_steps < 0 || options.every < 0)
    fail(OP_ERR_ARGUMENT, "tracing: numbers of steps cannot be negative");
}

namespace {

double norm(const Vector &v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

End end_of(Found found) {
  switch (found) {
    case Found::inside:
      return End::running;
    case Found::left:
      return End::left;
    case Found::no_number:
      return End::no_number;
    default:
      return End::lost;
  }
}

// A step as it is to be made: a time, or a length where `along`.
struct Wish {
  double h;
  bool along;
};

Wish wish(const Field &field, const Options &options, const Particle &p, double speed) {
  const double units = options.method == Method::dormand_prince ? p.next : options.step;
  switch (options.unit) {
    case Unit::time:
      return {std::min(units, options.longest_time - std::abs(p.time)), false};
    case Unit::length:
      return {std::min(units, options.longest - p.length), true};
    default:
      return {std::min(units * field.cell_size(p.place.cell) / speed, options.longest_time - std::abs(p.time)), false};
  }
}

// The error of order 4 of a step shrinks with its fifth power.
double better_step(const Options &options, double step, double error) {
  constexpr double safety = 0.9, least = 0.2, most = 5;
  const double factor = error > 0 ? safety * std::pow(options.tolerance / error, 0.2) : most;
  return std::clamp(step * std::clamp(factor, least, most), options.shortest_step, options.longest_step);
}

// A step of which some point is not in the mesh, in pieces that are halved until they fit. The path itself may be
// inside all the time; else it ends at the border, and w.h becomes what was done.
Step in_pieces(const Field &field, const Options &options, Particle &p, Nearby &nearby, Wish &w) {
  constexpr int most_halves = 30; // a billionth of a step
  const bool controlled = options.method == Method::dormand_prince;
  Step last{Found::left};
  double piece = 0.5 * w.h, done = 0;
  for (int halves = 1; piece != 0 && std::abs(done) < std::abs(w.h);) {
    if (std::abs(piece) > std::abs(w.h - done)) piece = w.h - done;
    const bool begun = last.found == Found::inside;
    Place place = p.place;
    const Step step = advance(field, options.method, place, nearby, begun ? last.point : p.x,
                              begun ? last.velocity : p.velocity, piece, w.along);
    if (step.found == Found::inside && !(controlled && step.error > options.tolerance)) {
      p.place = place;
      done += piece;
      last = step;
    } else if (++halves <= most_halves) {
      piece *= 0.5;
    } else {
      p.end = end_of(step.found == Found::inside ? Found::lost : step.found);
      break;
    }
  }
  w.h = done;
  return last;
}

} // namespace

Particle seeded(const Field &field, const Options &options, const Vector &seed, Nearby &nearby) {
  Particle p;
  p.x = seed;
  if (field.dim() == 2) p.x[2] = 0;
  p.next = options.step;
  const Found found = field.start(p.x, p.place, nearby, p.velocity);
  p.end = found == Found::left ? End::outside : end_of(found);
  return p;
}

void advance(const Field &field, const Options &options, Particle &p, Nearby &nearby) {
  const double speed = norm(p.velocity), sign = options.backward ? -1 : 1;
  if (!(speed > options.least_speed)) p.end = End::slow;
  if (p.steps >= options.most_steps) p.end = End::steps;
  if (std::abs(p.time) >= options.longest_time) p.end = End::time;
  if (p.length >= options.longest) p.end = End::length;
  if (p.end != End::running) return;
  Wish w = wish(field, options, p, speed);
  Step step;
  for (;;) {
    Place place = p.place;
    step = advance(field, options.method, place, nearby, p.x, p.velocity, sign * w.h, w.along);
    if (step.found == Found::inside && options.method == Method::dormand_prince && !(step.error <= options.tolerance) &&
        p.next > options.shortest_step) {
      const double shorter = better_step(options, p.next, step.error);
      if (!(shorter < p.next)) return void(p.end = End::lost);
      w.h *= shorter / p.next;
      p.next = shorter;
      continue;
    }
    if (step.found == Found::inside) p.place = place;
    break;
  }
  if (step.found != Found::inside) {
    if (step.found != Found::left) return void(p.end = end_of(step.found));
    w.h *= sign;
    step = in_pieces(field, options, p, nearby, w);
    w.h *= sign;
    if (step.found != Found::inside) { // at the border already
      if (p.end == End::running) p.end = End::left;
      return;
    }
  } else if (options.method == Method::dormand_prince) {
    p.next = better_step(options, p.next, step.error);
  }
  Vector chord;
  for (std::size_t k = 0; k < 3; ++k) chord[k] = step.point[k] - p.x[k];
  const double length = norm(chord);
  p.time += sign * (w.along ? 2 * w.h / (speed + norm(step.velocity)) : w.h);
  p.length = w.along ? p.length + w.h : p.length + length;
  p.x = step.point;
  p.velocity = step.velocity;
  ++p.steps;
}

Line trace(const Field &field, const Options &options, const Vector &seed) {
  check(options);
  Line line;
  Nearby nearby;
  Particle p = seeded(field, options, seed, nearby);
  const auto keep = [&] { line.points.push_back({p.x, p.velocity, p.time}); };
  if (p.end == End::running) keep();
  long kept = 0;
  while (p.end == End::running) {
    advance(field, options, p, nearby);
    if (options.every > 0 && p.steps != kept && p.steps % options.every == 0) {
      keep();
      kept = p.steps;
    }
  }
  if (p.steps != kept) keep();
  line.end = p.end;
  line.steps = p.steps;
  line.time = p.time;
  line.length = p.length;
  return line;
}

} // namespace op2::core::streamline
