// scale_cost.hpp: what an iteration costs each process on paper: messages, bytes, work, memory, and the predicted time.
#ifndef OP2_BENCH_SCALE_COST_HPP
#define OP2_BENCH_SCALE_COST_HPP

#include <cstdint>
#include <vector>

#include "scale/scale_halo.hpp"

namespace scale {

// Messages and bytes of every part in some exchanges.
struct Traffic {
  std::vector<std::int64_t> messages_out, messages_in, bytes_out, bytes_in;
  std::int64_t messages() const; // of all parts
  std::int64_t bytes() const;
};
// One message per exchange from each owner to each process that has copies.
Traffic traffic(const Problem &problem, const std::vector<SetHalo> &halos, const std::vector<Exchange> &exchanges,
                int parts);

// Other parts that each one sends to or receives from.
std::vector<int> neighbours(const std::vector<SetHalo> &halos, int parts);

// Bytes that the library keeps for the mesh on each part: rows of dats with copies, tables of maps, global numbers,
// lists of the halos and message buffers. `buffers` in bytes.
std::vector<std::int64_t> memory(const Problem &problem, const std::vector<SetHalo> &halos,
                                 const std::vector<std::int64_t> &buffers, int parts);

// Seconds of one call of a loop with so many elements, on lines between measured points.
class LoopTime {
 public:
  void add(int elements, double seconds); // in any order
  double of(double elements) const;       // below the smallest on the line through the first two, never below zero
 private:
  struct Point {
    double elements, seconds;
  };
  std::vector<Point> points_; // ascending
};

// A message of s bytes takes latency + s / bandwidth; the messages of a process come one after another.
struct Wire {
  double latency = 0;   // seconds
  double bandwidth = 1; // bytes per second
};

struct Prediction {      // seconds of one iteration, the largest of all parts unless said otherwise
  double total = 0;      // work, then messages: nothing is hidden
  double hidden = 0;     // messages travel while core elements are executed
  double work = 0;       // of the part that works longest
  double messages = 0;   // of the part that waits longest
  double reductions = 0; // a tree up and down: 2 ceil(log2 parts) latencies each
  double redundant = 0;  // share of the executed elements that others own, of all parts together
};
Prediction predict(const Problem &problem, const std::vector<SetHalo> &halos, const Schedule &schedule,
                   const std::vector<LoopTime> &times, const Wire &wire, int parts);

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
