// Draws the lines of all processes' seeds: each process advances the particles that are in its cells, by as many
// threads as it has, and sends on those that leave, without a step that all take together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tracer/draw/moving_particle.hpp"
#include "tracer/draw/termination.hpp"
#include "tracer/draw/thread_pool.hpp"

namespace op2::core::tracer {

enum class Directions { forward, backward, both };

// Where spans of the work are shown: subjects of a trace, and what records a span of one.
struct Shown {
  void (*record)(const void *subject, double begin, double end, std::int64_t count) = nullptr; // NULL = no trace
  const void *work = nullptr, *waiting = nullptr, *messages = nullptr;
};

// How the work is done. Nothing here changes a line.
struct Running {
  int threads = 1;
  int batch = 32;                    // particles for each thread that are taken at once
  std::size_t most_bytes = 64 << 10; // a message leaves when it is so long,
  double longest_wait = 1e-3;        // or when its first particle has waited for so many seconds
  bool is_full(std::size_t bytes) const { return bytes >= most_bytes; }
  bool has_waited(double seconds) const { return seconds >= longest_wait; }
  Ending ending = Ending::tree;
  Shown shown;
  // Called on process 0, by the thread that draws, now and then: so many lines of all have ended. Empty: nobody asks.
  std::function<void(std::int64_t ended, std::int64_t all)> progress;
};

// What has happened on this process.
struct Counts {
  std::int64_t steps = 0, finished = 0;
  std::int64_t sent = 0;     // particles for other processes
  std::int64_t returned = 0; // particles that have been here before
  std::int64_t particle_messages = 0, particle_bytes = 0, other_messages = 0, other_bytes = 0;
  double working = 0, waiting = 0, all = 0; // seconds
};

// The lines of a process' seeds: that of seed i is line i; or with both directions 2 i forward and 2 i + 1 backward.
struct Lines {
  struct Line {
    End end = End::outside;
    std::int64_t steps = 0;
    double time = 0, length = 0; // time is negative backwards
    Vector x{};                  // where it ends
  };
  std::vector<Line> line;
  std::vector<std::int64_t> begin{0}; // [lines + 1] of each line's points
  std::vector<LinePoint> points;
  Counts counts;
};

// Collective. Throws on all processes what it throws on one.
Lines draw_lines(Communicator &communicator, const Block &block, const streamline::Options &options,
                 Directions directions, const Running &running, std::span<const Vector> seeds);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
