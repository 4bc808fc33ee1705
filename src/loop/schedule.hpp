// When the pieces of a loop run: its elements in parts, and a list of steps, each with those that it waits for. With
// several processes: elements that need nothing of others first, while messages are on their way, then the rest, then
// copies of others' elements that add to rows owned here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/plan_cache.hpp"

namespace op2::core {

struct LoopPart {
  int begin, end;
  bool own = true;                               // what its elements reduce counts
  const PlanCache::Sequence *sequence = nullptr; // the order its elements must keep; NULL = their own
};

// What decides when things are done.
struct ScheduleTraits {
  int core_size = 0; // elements before this one need nothing of others
  bool several = false, exchanges = false, conflicts = false, reduces = false, shares = false;
  bool waits = false; // for the executor, after each loop
};

enum class Do : std::uint8_t {
  look,   // which copies are stale
  agree,  // that all processes can, or have; only where errors return to the program
  bring,  // copies that cannot come while elements run
  ready,  // rows, variables and records for the first element
  start,  // messages
  send,   // what start() left to be packed
  run,    // the elements of a part
  finish, // messages have come
  wait,   // the executor has run all
  reduce, // to all processes, and into the program's variables
  note    // what was written
};

using Steps = std::uint32_t; // a set of them: bit i is the i-th

struct Step {
  Do what;
  int part;    // of run
  Steps after; // which must be done before
};

class Schedule {
 public:
  Schedule(std::span<const LoopPart> parts, const ScheduleTraits &traits);
  // In an order that does.
  std::span<const Step> steps() const { return steps_; }
  std::string text() const; // "look, agree, ready, start, run 0, finish, run 1, note"

 private:
  Steps add(Do what, Steps after, int part = 0);
  std::vector<Step> steps_;
};

} // namespace op2::core
