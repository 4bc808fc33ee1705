// particle_plan_test.cpp: blocks of particles from blocks of their cells.
#include "loop/particle_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace op2::core {
namespace {

// A row of cells, each with two nodes, and particles in some of them.
struct Line {
  explicit Line(int count, unsigned seed) {
    std::mt19937 random(seed);
    cells.size = cells.core_size = count;
    in.index = 1 << 24;
    ends.index = (1 << 24) + 1;
    cell_nodes.index = 7;
    cell_nodes.dim = ends.dim = 2;
    set.particles = std::make_shared<Particles>();
    Particles &its = *set.particles;
    its.cells = &cells;
    its.in = &in;
    its.followers.push_back({&ends, &cell_nodes});
    std::vector<int> cell;
    for (int c = 0; c < count; ++c) {
      cell_nodes.table.insert(cell_nodes.table.end(), {c, c + 1});
      for (auto n = random() % 4 == 0 ? 0 : random() % 6; n > 0; --n) cell.push_back(c);
    }
    place(cell);
  }
  void place(const std::vector<int> &cell) { // ascending
    in.table = cell;
    std::vector<int> &begin = set.particles->begin_of_cell;
    begin.clear();
    for (int c = 0; c <= cells.size; ++c)
      begin.push_back(static_cast<int>(std::ranges::lower_bound(cell, c) - cell.begin()));
    set.size = set.core_size = static_cast<int>(cell.size());
  }
  PlanKey key(int block_size) const {
    PlanKey out;
    out.kind = OP_PLAN_BLOCK_COLOURS;
    out.end = set.size;
    out.block_size = block_size;
    out.groups = {{{ends.index, 0, 2}}};
    return out;
  }
  std::optional<Plan> plan(const PlanKey &key) {
    return plan_by_cells(set, key, plans, [this](int map) {
      EXPECT_EQ(7, map) << "the map of the cells";
      return PlanMap{cell_nodes.table.data(), 2, cells.size + 1};
    });
  }
  Set cells, set;
  Map in, ends, cell_nodes;
  PlanCache plans;
};

TEST(ParticlePlan, BlocksOfOneColourShareNoNodeAndHoldAllParticles) {
  for (const int block_size : {1, 7, 40, 1000}) {
    Line line(97, 3);
    const std::optional<Plan> plan = line.plan(line.key(block_size));
    ASSERT_TRUE(plan);
    EXPECT_EQ(0, plan->block_offset.front());
    EXPECT_EQ(line.set.size, plan->block_offset.back());
    std::vector<int> seen(static_cast<std::size_t>(line.set.size), 0);
    for (int colour = 0; colour < plan->ncolours; ++colour) {
      std::vector<int> block_of_node(98, -1);
      for (int i = plan->colour_offset[static_cast<std::size_t>(colour)];
           i < plan->colour_offset[static_cast<std::size_t>(colour) + 1]; ++i) {
        const auto block = static_cast<std::size_t>(plan->order[static_cast<std::size_t>(i)]);
        for (int row = plan->block_offset[block]; row < plan->block_offset[block + 1]; ++row) {
          ++seen[static_cast<std::size_t>(row)];
          for (const int node :
               {line.in.table[static_cast<std::size_t>(row)], line.in.table[static_cast<std::size_t>(row)] + 1}) {
            int &whose = block_of_node[static_cast<std::size_t>(node)];
            ASSERT_TRUE(whose == -1 || whose == static_cast<int>(block)) << "blocks of colour " << colour;
            whose = static_cast<int>(block);
          }
        }
      }
    }
    EXPECT_EQ(std::vector<int>(seen.size(), 1), seen) << "each particle once";
  }
}

TEST(ParticlePlan, MovesOfParticlesNeedNoNewPlanOfCells) {
  Line line(97, 3);
  ASSERT_TRUE(line.plan(line.key(8)));
  std::vector<int> cell = line.in.table;
  for (int &its : cell) its = std::clamp(its, 2, 90); // the first and the last cells are empty now
  line.place(cell);
  ASSERT_TRUE(line.plan(line.key(8)));
  EXPECT_EQ(1, line.plans.stats().builds);
}

TEST(ParticlePlan, NoneForOtherKindsNorDuringAMove) {
  Line line(10, 3);
  PlanKey key = line.key(8);
  key.kind = OP_PLAN_ELEMENT_COLOURS;
  EXPECT_FALSE(line.plan(key));
  line.set.particles->moving = true;
  EXPECT_FALSE(line.plan(line.key(8)));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
