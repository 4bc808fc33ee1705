// The path of one particle through a steady velocity.
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
  int every = 1; // which points are kept besides the ends: 1: all, k: every k-th, 0: none
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
  End end = End::running;
};

Particle seeded(const Field &field, const Options &options, const Vector &seed, Nearby &nearby);
// One step, or the end. The last step is cut so that time and length end where they should; a step that looks outside
// of the mesh is made in pieces, halved until they fit, so that a line ends at the border and not before.
void advance(const Field &field, const Options &options, Particle &particle, Nearby &nearby);

Line trace(const Field &field, const Options &options, const Vector &seed);

} // namespace op2::core::streamline
