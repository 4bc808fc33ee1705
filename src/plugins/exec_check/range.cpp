// Does a range function that the program gives do for one element what its kernel does? (For all of them: order.cpp.)
#include <algorithm>
#include <cmath>

#include "exec_check.hpp"
#include "values.hpp"

namespace op2::exec_check {

// Does the range function that the program gives do what its kernel does? Rounding may differ, so what counts is
// whether the answers for a component are other numbers in most elements.
void compare_range(const CheckedRun &run) {
  Arena &arena = *run.kernel.by_range;
  double largest = 0;
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    copy_row(arena.row(slot), run.rows[i], slot.bytes);
    for (int c = 0; c < slot.dim; ++c)
      if (const double size = std::fabs(value_of(slot, run.rows[i], c)); std::isfinite(size) && is_real(slot.type))
        largest = std::max(largest, size);
  }
  run.kernel.largest = std::max(run.kernel.largest, largest);
  arena.run(run.number, run.call.args);
  if (!arena.intact()) report_broken_guard(run, arena, Kind::range, "the range function");
  for (std::size_t i = 0; i < run.slots(); ++i) {
    const Slot &slot = run.slot(i);
    if (slot.role == Role::read && !same_row(run.kernel.first->row(slot), arena.row(slot), slot.bytes))
      return found(run, Kind::range, slot.arg,
                   "the range function writes " + about(run, slot.arg) + ", which the kernel only reads: " + here(run) +
                       ", " + place(run, i, std::max(first_difference(slot, run.rows[i], arena.row(slot)), 0)) +
                       ". Compare the places in OP_RANGE_FN with the arguments");
    if (slot.role == Role::read || slot.role == Role::scratch || slot.type == OP_TYPE_USER) continue;
    for (int c = 0; c < slot.dim; ++c) {
      const double old = value_of(slot, run.rows[i], c), by_kernel = value_of(slot, run.kernel.first->row(slot), c),
                   by_range = value_of(slot, arena.row(slot), c);
      const double change = std::max(std::fabs(by_kernel - old), std::fabs(by_range - old));
      if (!std::isfinite(change) || change == 0) continue;
      ++run.kernel.range_agrees[i].changed[static_cast<std::size_t>(c)];
      if (std::fabs(by_kernel - by_range) > std::max(1e-3 * change, is_real(slot.type) ? 1e-9 * largest : 0.0))
        ++run.kernel.range_agrees[i].different[static_cast<std::size_t>(c)];
    }
  }
}

void judge_range(const CheckedRun &run) {
  for (std::size_t i = 0; i < run.slots(); ++i)
    for (int c = 0; c < run.slot(i).dim; ++c) {
      const int changed = run.kernel.range_agrees[i].changed[static_cast<std::size_t>(c)];
      const int different = run.kernel.range_agrees[i].different[static_cast<std::size_t>(c)];
      if (2 * different <= changed) continue;
      const Slot &slot = run.slot(i);
      return found(run, Kind::range, slot.arg,
                   "the range function is not the kernel: they give component " + std::to_string(c) + " of " +
                       about(run, slot.arg) + " different values in " + std::to_string(different) + " of the " +
                       std::to_string(changed) + " elements compared, " + here(run) + " for instance " +
                       print(slot, run.kernel.by_range->row(slot), c) + " instead of " +
                       print(slot, run.kernel.first->row(slot), c) +
                       ". Compare the places, the literal dims and OP_DIRECT/OP_VIA in OP_RANGE_FN with the arguments");
    }
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
