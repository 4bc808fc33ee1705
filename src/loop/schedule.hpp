// The order in which a loop runs: its elements in parts, and a list of steps, each with the steps that it waits for.
// With several processes: elements that read no copies run first, while messages travel, then the rest, then copies of
// other processes' elements that add to rows owned here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/plan_cache.hpp"

namespace op2::core {

struct LoopPart {
  int begin, end;
  bool own = true;                               // false: reduced values of its elements are discarded
  const PlanCache::Sequence *sequence = nullptr; // the order its elements must keep; NULL = any
  int level = 0;                                 // of the sequence, see sequence_number()
  std::span<const int> added = {}; // the order in which rows get increments, as in op_exec_plan; empty = any
};

// The properties of a loop that decide its steps.
struct ScheduleTraits {
  int core_size = 0; // elements before this one read no copies
  bool several = false, exchanges = false, conflicts = false, reduces = false, shares = false;
  bool waits = false; // for the executor at the end of each run
};

enum class Do : std::uint8_t {
  look,   // find which copies are stale
  agree,  // all processes learn of failures of any; only if errors return to the program
  bring,  // exchange copies that cannot travel while elements run
  ready,  // prepare rows, variables and records for the first element
  start,  // messages
  send,   // what `start` left to be packed
  run,    // the elements of a part
  finish, // wait for messages
  wait,   // until the executor has run all elements
  reduce, // over all processes, and into the program's variables
  note    // what was written
};

using Steps = std::uint32_t; // a set of steps: bit i is step i

struct Step {
  Do what;
  int part;    // of run
  Steps after; // steps that must be done before
};

class Schedule {
 public:
  Schedule(std::span<const LoopPart> parts, const ScheduleTraits &traits);
  // In an order that satisfies all `after`.
  std::span<const Step> steps() const { return steps_; }
  std::string text() const; // "look, agree, ready, start, run 0, finish, run 1, note"

 private:
  Steps add(Do what, Steps after, int part = 0);
  std::vector<Step> steps_;
};

} // namespace op2::core
