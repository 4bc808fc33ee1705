// A particle on its way between processes, and what a process keeps of the line that it draws.
#pragma once

#include <functional>
#include <vector>

#include "streamline/flock.hpp"
#include "tracer/block/locate.hpp"

namespace op2::core::tracer {

using streamline::End;
using streamline::LinePoint;

// The state of a particle between two steps, as it is sent.
struct Traveller {
  std::int64_t line = 0; // the number of the line on its home
  std::int64_t cell = 0; // the number of the cell in the whole mesh
  Vector x{}, at{};      // `at`: streamline::Place
  double time = 0, length = 0, next = 0;
  std::int32_t home = 0;     // the process that has the seed
  std::int32_t parts = 0;    // pieces of its line that have been kept so far
  std::int32_t backward = 0; // 1: against the velocity
  std::int32_t block = 0;    // of the cell, among its owner's
  std::int64_t steps = 0;
  Vector kept{}; // as in streamline::Particle
  std::int64_t kept_steps = -1;
};

// A piece of a line, kept by the process where it was made.
struct Part {
  std::int64_t line = 0;
  std::int32_t home = 0, number = 0;
  std::int64_t count = 0; // of points
};

// How a line has ended.
struct Finished {
  std::int64_t line = 0;
  std::int32_t home = 0;
  std::int32_t end = 0; // an End
  std::int64_t steps = 0;
  double time = 0, length = 0;
  Vector x{};
};

// What one thread has made in one turn.
struct Made {
  std::vector<Finished> finished;
  std::vector<Traveller> leaving;
  std::vector<int> destination; // the process of each that leaves
  std::vector<Part> parts;
  std::vector<LinePoint> points; // in the order of the parts
  std::int64_t steps = 0;
};

// What a process keeps: pieces of many threads and turns, points as they came, without copies.
struct Archive {
  std::vector<Finished> finished;
  std::vector<Part> parts;
  std::vector<std::vector<LinePoint>> points; // all of them in the order of the parts
  std::int64_t steps = 0;

  void take(Made &made); // but what leaves; `made` is empty afterwards
};

// Draws lines until they end, or are where this process does not see enough: those of one direction, on one thread.
class Drawer {
 public:
  // Both must outlive this.
  Drawer(const Block &block, const streamline::Options &options)
      : block_(block), options_(options), flock_(block.field(), options) {}

  // next(): another traveller; NULL: there are no more.
  void draw(const std::function<const Traveller *()> &next, Made &made);

 private:
  void begin(const Traveller &traveller, streamline::Particle &particle);
  void end(Traveller traveller, const streamline::Particle &particle, std::vector<LinePoint> &points, Made &made) const;

  const Block &block_;
  const streamline::Options &options_;
  streamline::Flock flock_;
  streamline::Nearby nearby_;
  std::array<Traveller, streamline::lanes> traveller_; // as they began
  std::array<std::vector<LinePoint>, streamline::lanes> points_;
};

// A particle at its seed.
Traveller seeded(const streamline::Options &options, const Located &where, const Vector &seed);

} // namespace op2::core::tracer
