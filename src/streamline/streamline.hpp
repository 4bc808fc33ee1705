// The path of one particle through a velocity: a streamline, or a pathline if the velocity changes.
#pragma once

#include <limits>
#include <vector>

#include "streamline/integrate.hpp"

namespace op2::core::streamline {

// Why a line ends.
enum class End {
  running,   // it has not
  steps,     // Options::most_steps
  time,      // Options::longest_time
  length,    // Options::longest
  slow,      // the speed is at or below Options::least_speed, or zero
  left,      // the particle has left the mesh
  outside,   // the seed is not in the mesh
  no_number, // the seed, or the velocity where the particle came, is not finite
  lost       // degenerate cells, or an error that no step is short enough for
};
const char *name_of(End end);

enum class Unit {
  time,
  length, // steps of equal length: the velocity counts by its direction
  cells   // of the size of the cell where the step begins
};

struct Options {
  Method method = Method::rk4;
  Unit unit = Unit::time;
  double step = 0; // in units; of Dormand-Prince the first one. > 0
  bool backward = false;
  double tolerance = 1e-6; // Dormand-Prince: of the error of a step, in the unit of coordinates
  double shortest_step = 0, longest_step = std::numeric_limits<double>::infinity(); // Dormand-Prince
  long most_steps = 10'000;
  double longest_time = std::numeric_limits<double>::infinity();
  double longest = std::numeric_limits<double>::infinity(); // length of the line: of its chords
  double least_speed = 0;
  // Which points are kept besides the ends: every k-th (0: none), and where the velocity has turned by more than so
  // many radians since the point that was kept last (0: off).
  int every = 1;
  double turn = 0;
};
// Throws OP_ERR_ARGUMENT, with the name of what is wrong.
void check(const Options &options);

struct LinePoint {
  Vector x{}, velocity{};
  double time = 0;
};

struct Line {
  std::vector<LinePoint> points; // the seed first; none if it is outside or no number
  End end = End::running;
  long steps = 0;
  double time = 0, length = 0; // time is negative backwards
};

// A particle between two steps. Whoever has its state goes on with the same bits.
struct Particle {
  Vector x{}, velocity{};
  Place place;
  double time = 0, length = 0;
  double next = 0; // Dormand-Prince: the next step to try, in units
  long steps = 0;
  Vector kept{};        // velocity at the last point that was kept
  long kept_steps = -1; // and its step; -1: none yet
  End end = End::running;
};

// How far from where it begins a step looks, along each coordinate, if it begins in a cell of this size and no speed in
// the mesh is greater than `fastest`. Steps that
// would look farther are made shorter, wherever they are made: so the lines do not depend on who has which part of the
// mesh.
double reach(double fastest, const Options &options, double cell_size);

// The time of the field where a particle is: in a field that changes, lines begin at its beginning, backward ones at
// its end.
double time_of(const Field &field, const Options &options, const Particle &particle);

Particle seeded(const Field &field, const Options &options, const Vector &seed, Nearby &nearby);
// One step, or the end. The last step is cut so that time and length end where they should; a step that looks outside
// of the mesh is made in pieces, halved until they fit, so that a line ends at the border and not before.
void advance(const Field &field, const Options &options, Particle &particle, Nearby &nearby);

// A step as it is to be made: a time, or a length where `along`.
struct Wish {
  double h = 0;
  bool along = false;
};

// What is known of a step before it is made.
struct Plan {
  Wish wish;
  double speed = 0, time = 0, reach = 0; // where it begins
};

// The two ends of advance(), for those who make the step between them for several particles at once. begin_step():
// false, if the line ends. end_step() moves the particle, but does not set its place.
bool begin_step(const Field &field, const Options &options, Particle &particle, Plan &plan);
void end_step(const Options &options, const Plan &plan, const Step &step, Particle &particle);
// After a step with this error that was taken, Dormand-Prince: the next one to try.
double better_step(const Options &options, double step, double error);

// Whether the point where the particle is belongs to its line's points.
bool is_kept(const Options &options, const Particle &particle);

// Advances while go_on(particle), and calls keep(particle) for each point to keep, the seed and the last one included.
template <class GoOn, class Keep>
void draw(const Field &field, const Options &options, Particle &particle, Nearby &nearby, const GoOn &go_on,
          const Keep &keep) {
  const auto kept = [&] {
    keep(particle);
    particle.kept = particle.velocity;
    particle.kept_steps = particle.steps;
  };
  if (particle.end == End::running && particle.kept_steps < 0) kept();
  while (particle.end == End::running && go_on(particle)) {
    advance(field, options, particle, nearby);
    if (is_kept(options, particle)) kept();
  }
}

Line trace(const Field &field, const Options &options, const Vector &seed);

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
