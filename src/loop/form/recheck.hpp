// Compares generated code with the code compiled with the program again and again, since the first data of a program
// hardly show what its kernels do: a flow begins uniform.
#pragma once

#include <vector>

#include "loop/form/fast_form.hpp"
#include "loop/form/recheck_schedule.hpp"

namespace op2::core {

class Recheck {
 public:
  // all: before each call on all elements (OP2_JIT=verify). Else from time to time on elements that have the extremes
  // of the loop's data among those that are looked at.
  explicit Recheck(bool all) : when_(all) {}
  bool all() const { return when_.always(); }
  RecheckSchedule &when() { return when_; }
  const RecheckSchedule &when() const { return when_; }

  // Before a due call, with the form that it uses. per_call: seconds, 0 = not known. Throws OP_ERR_KERNEL: what differs
  // by more than rounding. Where the
  // program's own code rounds otherwise, a branch may take another side for that reason alone: nothing is compared from
  // then on, except with `all`.
  void compare(const FastFormRequest &request, const FastForm &code, op_range_fn made, double per_call);

 private:
  TrialResult compare_all(const FastFormRequest &request, const FastForm &code, op_range_fn made) const;

  RecheckSchedule when_;
};

// At most 99 elements of the first `size`: those with the extremes of components among some thousand that are looked
// at, other ones with each `round`, and some of these. For Recheck.
std::vector<int> telling_elements(const FastFormRequest &request, int size, long round);

} // namespace op2::core

// SPDX-License-Identifier: MIT
