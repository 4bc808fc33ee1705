// How processes find out that no particle is under way any more: by counting those that have finished, each once, so
// that messages between them cannot be missed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace op2::core::tracer {

// A few bytes for another process; kind and value mean what the method wants.
using Tell = std::function<void(int rank, int kind, std::int64_t value)>;

class Termination {
 public:
  virtual ~Termination() = default;
  // So many particles have finished here.
  virtual void finished(std::int64_t count) = 0;
  // What another process has told.
  virtual void told(int rank, int kind, std::int64_t value) = 0;
  // Called often; passes on what has gathered.
  virtual void pass_on() = 0;
  virtual bool over() const = 0;
  // Particles of other processes that have finished, as far as it is known here. Process 0 knows of all, a little
  // later.
  virtual std::int64_t elsewhere() const = 0;
};

enum class Ending {
  tree,      // sums go up a binary tree of processes, the end comes down
  broadcast, // each process tells all others: the comparison of the published method
  reduction  // all add up what they have finished, again and again, each when it has time: a sum that nobody waits for
};

// all: particles of all processes.
std::unique_ptr<Termination> make_termination(Ending ending, int rank, int size, std::int64_t all, Tell tell);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
