// Plans of loops over particles from plans of loops over their cells: cells do not change when particles move.
#pragma once

#include <functional>
#include <optional>

#include "mesh/particles.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {

// Coloured blocks of sorted particles, for key.begin ... key.end - 1, borders of the set's parts: the particles of
// coloured blocks of cells, which write through the maps that the particles follow. Blocks have about key.block_size
// particles. Empty: the key is for another kind of plan, or particles are on their way. O(blocks) once
// the plan of the cells is in `of_cells`.
std::optional<Plan> plan_by_cells(const Set &set, const PlanKey &key, PlanCache &of_cells,
                                  const std::function<PlanMap(int map)> &find_map);

} // namespace op2::core

// SPDX-License-Identifier: MIT
