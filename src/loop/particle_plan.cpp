#include "loop/particle_plan.hpp"

#include <algorithm>
#include <bit>

namespace op2::core {

namespace {

// Of cells, for as many particles; a power of two, so that few plans of cells are made while particles move.
int block_of_cells(const Set &set, int particles) {
  const std::int64_t cells = std::max(set.particles->cells->size, 1);
  const std::int64_t wanted = std::max<std::int64_t>(particles * cells / std::max(set.size, 1), 1);
  return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(std::min(wanted, cells))));
}

// The columns that lead from the cells to the same rows.
PlanColumns of_cells(const Particles &its, PlanColumns columns) {
  if (columns.map == its.in->index) return {}; // the cell itself
  for (const Particles::Follower &follower : its.followers)
    if (follower.map->index == columns.map) columns.map = follower.of_cells->index;
  return columns;
}

// The cell whose particles begin at a border of the set's parts. The same one after each move, also where cells at the
// border are empty, since plans of cells are kept by their range.
int cell_at(const Set &set, int row) {
  const Set &cells = *set.particles->cells;
  if (row == 0) return 0;
  if (row == set.core_size) return cells.core_size;
  return row == set.size ? cells.size : cells.executed();
}

} // namespace

std::optional<Plan> plan_by_cells(const Set &set, const PlanKey &key, PlanCache &cell_plans,
                                  const std::function<PlanMap(int map)> &find_map) {
  const Particles &its = *set.particles;
  if (its.moving || key.kind != OP_PLAN_BLOCK_COLOURS || key.begin >= key.end) return {};
  const std::vector<int> &begin = its.begin_of_cell;
  PlanKey of_these;
  of_these.kind = key.kind;
  of_these.block_size = block_of_cells(set, key.block_size > 0 ? key.block_size : 1024);
  of_these.begin = cell_at(set, key.begin);
  of_these.end = cell_at(set, key.end);
  for (const std::vector<PlanColumns> &group : key.groups) {
    of_these.groups.emplace_back();
    for (const PlanColumns &columns : group) of_these.groups.back().push_back(of_cells(its, columns));
  }
  Plan plan = cell_plans.get(of_these, find_map); // a copy, of as many numbers as there are blocks
  for (int &cell : plan.block_offset) cell = begin[static_cast<std::size_t>(cell)];
  plan.begin = key.begin;
  plan.end = key.end;
  return plan;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
