// Writes the schedule of a loop that runs by itself. With several processes, elements that read no copies run first,
// while messages travel, then the rest, then copies of other processes' elements that add to rows owned here.
#pragma once

#include <span>

#include "loop/form/common.hpp"
#include "loop/step.hpp"

namespace op2::core {

// The properties of a loop that decide its steps.
struct ScheduleTraits {
  int core_size = 0; // elements before this one read no copies
  bool several = false, exchanges = false, reduces = false, shares = false;
  bool waits = false; // for the executor at the end of each run
};

Schedule schedule_loop(std::span<const LoopPart> parts, const ScheduleTraits &traits);

} // namespace op2::core

// SPDX-License-Identifier: MIT
