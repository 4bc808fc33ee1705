// The steps with which schedules of groups of several processes begin and end. The first loop of a group has the
// exchange of all of them.
#pragma once

#include <cstddef>

#include "loop/step.hpp"

namespace op2::core {

inline void open_layers(Schedule &schedule, std::size_t loops) {
  schedule.add(Do::find_stale);
  schedule.add(Do::agree);
  schedule.add(Do::exchange);
  schedule.add_for_each(Do::open, loops);
}

inline void close_layers(Schedule &schedule, std::size_t loops) {
  schedule.add_for_each(Do::combine_parts, loops);
  schedule.first_closing_step = schedule.steps.size();
  schedule.add_for_each(Do::mark_written, loops);
  schedule.add_for_each(Do::close, loops);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
