// Adapts a plan to elements whose targets have changed: only what the change reaches is inspected again. Pure
// functions.
#pragma once

#include <span>

#include "plan/plan.hpp"

namespace op2::core {

// `plan` was built from `request`, whose maps lead the `elements` (ascending, each once, in the plan's range) elsewhere
// now. The plan then fits the maps, with the blocks it had, so that partial results keep their bits. False: the plan
// must be built anew, since it is of a kind that is not adapted, or the change is large; after false or an exception it
// is unusable. Errors: as build_plan().
bool adapt_plan(Plan &plan, const PlanRequest &request, std::span<const int> elements);

// The same for the lists of an owner plan. Owners of rows stay, so every row still gets its increments in the order of
// the set.
void adapt_owners(OwnerLists &lists, const PlanRequest &request, std::span<const int> block_offset,
                  std::span<const int> elements);

} // namespace op2::core
// SPDX-License-Identifier: MIT
