#include "streamline/streamline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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
  if (!(options.turn >= 0) || options.turn > std::numbers::pi)
    fail(OP_ERR_ARGUMENT, "tracing: the turn is ", options.turn, "; it is an angle from 0 to pi");
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

// With error control a step crosses so many cells at most: what is between is not known to it, and could be missed.
constexpr double most_cells = 2;

double most_units(const Options &options, double speed, double cell_size) {
  switch (options.unit) {
    case Unit::time:
      return most_cells * cell_size / speed;
    case Unit::length:
      return most_cells * cell_size;
    default:
      return most_cells;
  }
}

// A step, or what is left of the limit, where nothing but rounding would be left for another one, too.
double within(double step, double left) { return left <= step * (1 + 1e-9) ? left : step; }

Wish wish(const Options &options, const Particle &p, double speed, double cell_size) {
  const double units = options.method == Method::dormand_prince ? p.next : options.step;
  switch (options.unit) {
    case Unit::time:
      return {within(units, options.longest_time - std::abs(p.time)), false};
    case Unit::length:
      return {within(units, options.longest - p.length), true};
    default:
      return {within(units * cell_size / speed, options.longest_time - std::abs(p.time)), false};
  }
}

// A step of which some point is not in the mesh or too far away, in pieces that are halved until they fit. The path
// itself may be inside all the time; else it ends at the border, and w.h becomes what was done.
Step in_pieces(const Field &field, const Options &options, Particle &p, Nearby &nearby, double time, Wish &w) {
  constexpr int most_halves = 30; // a billionth of a step
  const bool controlled = options.method == Method::dormand_prince;
  Step last{Found::left};
  double piece = 0.5 * w.h, done = 0;
  for (int halves = 1; piece != 0 && std::abs(done) < std::abs(w.h);) {
    if (std::abs(piece) > std::abs(w.h - done)) piece = w.h - done;
    const bool begun = last.found == Found::inside;
    Place place = p.place;
    const Step step = advance(field, options.method, place, nearby, begun ? last.point : p.x,
                              begun ? last.velocity : p.velocity, time + done, piece, w.along);
    if (step.found == Found::inside && !(controlled && step.error > options.tolerance)) {
      p.place = place;
      done += piece;
      last = step;
    } else if (begun && step.found == Found::far) {
      break; // the rest is another step
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

// The error of order 4 of a step shrinks with its fifth power.
double better_step(const Options &options, double step, double error) {
  constexpr double safety = 0.9, least = 0.2, most = 5;
  const double factor = error > 0 ? safety * std::pow(options.tolerance / error, 0.2) : most;
  return std::clamp(step * std::clamp(factor, least, most), options.shortest_step, options.longest_step);
}

double reach(double fastest, const Options &options, double cell_size) {
  const bool controlled = options.method == Method::dormand_prince;
  const double unlimited = std::numeric_limits<double>::infinity();
  // The largest of a method's sums of factors, by which its stages may lie ahead; and room for rounding.
  const double stages = (options.method == Method::rk3 ? 3 : 1) * (1 + 1e-6);
  // Velocities may grow while a step crosses cells, and stages of Dormand and Prince may lie ahead of its end.
  constexpr double room = 2;
  const double by_cells = room * stages * cell_size * (controlled ? most_cells : options.step);
  const double step = controlled ? options.longest_step : options.step;
  switch (options.unit) {
    case Unit::time:
      return controlled ? std::min(by_cells, room * step * fastest) : stages * step * fastest;
    case Unit::length:
      return std::min(controlled ? by_cells : unlimited, room * stages * step);
    default:
      return by_cells;
  }
}

double time_of(const Field &field, const Options &options, const Particle &p) {
  return options.backward ? field.duration() + p.time : p.time;
}

Particle seeded(const Field &field, const Options &options, const Vector &seed, Nearby &nearby) {
  Particle p;
  p.x = seed;
  if (field.dim() == 2) p.x[2] = 0;
  p.next = options.step;
  nearby.set_time(time_of(field, options, p));
  const Found found = field.start(p.x, p.place, nearby, p.velocity);
  p.end = found == Found::left ? End::outside : end_of(found);
  return p;
}

bool begin_step(const Field &field, const Options &options, Particle &p, Plan &plan) {
  double speed = norm(p.velocity);
  if (!(speed > options.least_speed) && !(field.changes() && speed >= options.least_speed)) p.end = End::slow;
  if (p.steps >= options.most_steps) p.end = End::steps;
  if (std::abs(p.time) >= options.longest_time) p.end = End::time;
  if (p.length >= options.longest) p.end = End::length;
  if (p.end != End::running) return false;
  constexpr double slowest = 1e-3; // of the fastest: who is at rest in a field that changes is not for ever
  if (field.changes()) speed = std::max(speed, slowest * field.fastest());
  const bool by_cells = options.unit == Unit::cells || options.method == Method::dormand_prince;
  const double cell_size = by_cells ? field.cell_size(p.place.cell) : 0; // which takes time
  if (options.method == Method::dormand_prince) p.next = std::min(p.next, most_units(options, speed, cell_size));
  plan = {wish(options, p, speed, cell_size), speed, time_of(field, options, p),
          reach(field.fastest(), options, cell_size)};
  return true;
}

void end_step(const Options &options, const Plan &plan, const Step &step, Particle &p) {
  const double h = plan.wish.h;
  p.time += (options.backward ? -1 : 1) * (plan.wish.along ? 2 * h / (plan.speed + norm(step.velocity)) : h);
  if (plan.wish.along) {
    p.length += h;
  } else {
    p.length += norm({step.point[0] - p.x[0], step.point[1] - p.x[1], step.point[2] - p.x[2]});
  }
  p.x = step.point;
  p.velocity = step.velocity;
  ++p.steps;
}

namespace {

// The step, or a shorter one where the error is too large. False: no line goes on here.
bool make(const Field &field, const Options &options, Plan &plan, Particle &p, Nearby &nearby, Step &step) {
  const bool controlled = options.method == Method::dormand_prince;
  const double sign = options.backward ? -1 : 1;
  double &h = plan.wish.h;
  for (;;) {
    Place place = p.place;
    step = advance(field, options.method, place, nearby, p.x, p.velocity, plan.time, sign * h, plan.wish.along);
    const bool too_much =
        controlled && (step.found == Found::far || (step.found == Found::inside && !(step.error <= options.tolerance)));
    if (too_much && p.next > options.shortest_step) {
      const double shorter = step.found == Found::far ? std::max(0.5 * p.next, options.shortest_step)
                                                      : better_step(options, p.next, step.error);
      if (!(shorter < p.next)) {
        p.end = End::lost;
        return false;
      }
      h *= shorter / p.next;
      p.next = shorter;
      continue;
    }
    if (step.found == Found::inside) {
      p.place = place;
      if (controlled) p.next = better_step(options, p.next, step.error);
      return true;
    }
    break;
  }
  if (step.found != Found::left && step.found != Found::far) {
    p.end = end_of(step.found);
    return false;
  }
  plan.wish.h *= sign;
  step = in_pieces(field, options, p, nearby, plan.time, plan.wish);
  plan.wish.h *= sign;
  if (step.found == Found::inside) return true;
  if (p.end == End::running) p.end = End::left; // at the border already
  return false;
}

} // namespace

void advance(const Field &field, const Options &options, Particle &p, Nearby &nearby) {
  Plan plan;
  if (!begin_step(field, options, p, plan)) return;
  nearby.look_around(p.x, plan.reach);
  Step step;
  if (!make(field, options, plan, p, nearby, step)) return;
  end_step(options, plan, step, p);
  if (!field.changes()) return;
  nearby.set_time(time_of(field, options, p)); // the same bits as whoever goes on from this state
  if (const Found found = field.velocity_at(p.place, nearby, p.velocity); found != Found::inside) p.end = end_of(found);
}

bool is_kept(const Options &options, const Particle &p) {
  if (p.steps == p.kept_steps) return false;
  if (p.end != End::running || (options.every > 0 && p.steps % options.every == 0)) return true;
  if (options.turn <= 0) return false;
  const double along = p.kept[0] * p.velocity[0] + p.kept[1] * p.velocity[1] + p.kept[2] * p.velocity[2];
  return along < std::cos(options.turn) * norm(p.kept) * norm(p.velocity);
}

Line trace(const Field &field, const Options &options, const Vector &seed) {
  check(options);
  Line line;
  Nearby nearby;
  Particle p = seeded(field, options, seed, nearby);
  draw(
      field, options, p, nearby, [](const Particle &) { return true; },
      [&](const Particle &at) {
        line.points.push_back({at.x, at.velocity, at.time});
      });
  line.end = p.end;
  line.steps = p.steps;
  line.time = p.time;
  line.length = p.length;
  return line;
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
