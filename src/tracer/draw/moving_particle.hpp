// A particle on its way between processes, and what a process keeps of the line that it draws.
#pragma once

#include <functional>
#include <vector>

#include "streamline/flock.hpp"
#include "tracer/block/locate.hpp"

namespace op2::core::tracer {

using streamline::End;
using streamline::LinePoint;

// The state of a particle between two steps that every message about it has. Not in it is what a receiver finds again
// with the same bits: its coordinates in the cell and its velocity, from the point; the block, from the cell; pieces of
// its line are counted by steps.
struct ParticleState {
  Vector x{};
  std::int64_t cell = 0; // its number in the whole mesh
  double time = 0, length = 0;
  std::uint32_t line = 0; // the number of the line on its home, which has two for each seed at most
  std::int32_t home = 0;  // the process that has the seed
  std::uint64_t steps : 62 = 0;
  std::uint64_t kept_here : 1 = 0; // the point where it is has been kept
  std::uint64_t backward : 1 = 0;  // against the velocity
};
static_assert(sizeof(ParticleState) == 64);

// The state with what only some ways of tracing need, and where it is on this process.
struct MovingParticle : ParticleState {
  double next = 0; // with error control: streamline::Particle::next
  Vector kept{};   // where points are kept by the turn of the velocity: streamline::Particle::kept
  int here = -1;   // the cell among those of this process
};

// Particles as bytes, with as much of them as these ways of tracing need.
class Packing {
 public:
  explicit Packing(const streamline::Options &options)
      : next_(options.method == streamline::Method::dormand_prince), kept_(options.turn > 0) {}

  std::size_t bytes() const {
    return sizeof(ParticleState) + (next_ ? sizeof(double) : 0) + (kept_ ? sizeof(Vector) : 0);
  }
  void pack(const MovingParticle &moving, std::vector<char> &to) const; // appends bytes()
  MovingParticle unpack(const char *from) const;

 private:
  bool next_, kept_;
};

// A piece of a line, kept by the process where it was made.
struct Part {
  std::int64_t line = 0;
  std::int64_t number = 0; // ascending along the line
  std::int64_t count = 0;  // of points
  std::int32_t home = 0;
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
  std::vector<MovingParticle> leaving;
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

  // next(): another moving; NULL: there are no more. ended(): a line has.
  void draw(const std::function<const MovingParticle *()> &next, const std::function<void()> &ended, Made &made);

 private:
  void begin(const MovingParticle &moving, streamline::Particle &particle);
  void end(MovingParticle moving, const streamline::Particle &particle, std::vector<LinePoint> &points,
           Made &made) const;

  const Block &block_;
  const streamline::Options &options_;
  streamline::Flock flock_;
  streamline::Nearby nearby_;
  std::array<MovingParticle, streamline::lanes> moving_; // as they began
  std::array<std::vector<LinePoint>, streamline::lanes> points_;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
