// Where a loop that stops early has stopped: what its threads and processes agree on after each stage.
#pragma once

#include <cstdint>

namespace op2::core {

// The words are those of the speculative executor (SE) of the survey of irregular computing (docs/until.md): the n
// elements are run in m stages, and the three values start at n + 1, m + 1 and 0. Elements, stages and processes are
// counted from 1 here.
struct Exit {
  std::int64_t last_iter = 1; // the least element, in the program's order, that says stop
  int last_stage = 1;         // the stage that it is in
  int last_proc = 0;          // the process that owns it

  Exit() = default;
  Exit(std::int64_t n, int m) : last_iter(n + 1), last_stage(m + 1) {}
  bool keeps(std::int64_t number) const { return number < last_iter; } // number: of an element, from 0
  // The number of the last element, from 0; -1: none has said stop.
  std::int64_t stopped() const { return last_proc > 0 ? last_iter - 1 : -1; }
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
