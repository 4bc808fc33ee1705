// compact_test.cpp: blocks of elements that share targets: each element once, colours that fit, few rows per block.
#include "plan/compact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "plan/plan.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {
namespace {

struct Mesh {
  int elements, rows, dim;
  std::vector<int> map;
  PlanRequest request(int block_size, bool compact) const {
    PlanRequest out{OP_PLAN_ELEMENT_COLOURS, 0, elements, block_size, {{{{map.data(), dim, 0, dim, rows}}}}};
    out.compact = compact;
    return out;
  }
};

// Faces between the cells of a box with n cells along each side, in the order of the cells.
Mesh box(int n) {
  Mesh out{0, n * n * n, 2, {}};
  const int step[] = {1, n, n * n};
  for (int cell = 0; cell < out.rows; ++cell)
    for (int d = 0; d < 3; ++d)
      if (cell / step[d] % n + 1 < n) out.map.insert(out.map.end(), {cell, cell + step[d]});
  out.elements = static_cast<int>(out.map.size()) / 2;
  return out;
}

Mesh scattered(int elements, int rows, int dim, unsigned seed) {
  std::mt19937 random(seed);
  Mesh out{elements, rows, dim, {}};
  for (int i = 0; i < elements * dim; ++i) out.map.push_back(static_cast<int>(random() % static_cast<unsigned>(rows)));
  return out;
}

// The same elements in the order of the plan's places.
Mesh by_place(const Mesh &mesh, const Plan &plan) {
  Mesh out{mesh.elements, mesh.rows, mesh.dim, {}};
  for (const int n : plan.element)
    out.map.insert(out.map.end(), mesh.map.begin() + n * mesh.dim, mesh.map.begin() + (n + 1) * mesh.dim);
  return out;
}

// Rows that blocks reach, all blocks together, over the rows of the mesh.
double rows_fetched(const Mesh &mesh, int block_size) {
  double sum = 0;
  for (int first = 0; first < mesh.elements; first += block_size) {
    const int last = std::min(mesh.elements, first + block_size);
    sum += static_cast<double>(
        std::set<int>(mesh.map.begin() + first * mesh.dim, mesh.map.begin() + last * mesh.dim).size());
  }
  return sum / mesh.rows;
}

void expect_each_once(const Plan &plan) {
  std::vector<int> sorted = plan.element, all(static_cast<std::size_t>(plan.end - plan.begin));
  std::iota(all.begin(), all.end(), plan.begin);
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all);
}

void expect_colours_of(const Plan &expected, const Plan &found) {
  EXPECT_EQ(expected.block_offset, found.block_offset);
  EXPECT_EQ(expected.ncolours, found.ncolours);
  EXPECT_EQ(expected.order, found.order);
  EXPECT_EQ(expected.element_colour, found.element_colour);
  EXPECT_EQ(expected.block_element_colours, found.block_element_colours);
}

TEST(Compact, ColoursAreThoseOfTheElementsInThatOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Mesh mesh = seed == 0 ? box(9) : scattered(static_cast<int>(50 * seed), static_cast<int>(17 * seed), 3, seed);
    const Plan plan = build_plan(mesh.request(64, true));
    expect_each_once(plan);
    expect_colours_of(build_plan(by_place(mesh, plan).request(64, false)), plan);
  }
}

TEST(Compact, BlocksFetchFewRows) {
  const Mesh mesh = box(40);
  const Plan plan = build_plan(mesh.request(256, true));
  EXPECT_LT(rows_fetched(by_place(mesh, plan), 256), 0.65 * rows_fetched(mesh, 256));
}

TEST(Compact, TheNumbersOfTheElementsDoNotMatterMuch) {
  Mesh mesh = box(40);
  std::vector<int> order(static_cast<std::size_t>(mesh.elements));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Plan shuffled;
  shuffled.element = order;
  mesh = by_place(mesh, shuffled);
  EXPECT_LT(rows_fetched(by_place(mesh, build_plan(mesh.request(256, true))), 256), 1.8);
}

TEST(Compact, PartsOfARange) {
  const Mesh mesh = box(8);
  PlanRequest request = mesh.request(32, true);
  request.begin = 100;
  request.end = 901;
  const Plan plan = build_plan(request);
  expect_each_once(plan);
  EXPECT_EQ(plan.block_offset.front(), 100);
  EXPECT_EQ(plan.block_offset.back(), 901);
  EXPECT_EQ(plan.view().element, plan.element.data());
}

TEST(Compact, NothingToDivide) {
  const Mesh mesh = box(4);
  PlanRequest empty = mesh.request(32, true);
  empty.end = 0;
  EXPECT_TRUE(build_plan(empty).element.empty());
  const Plan one = build_plan(mesh.request(100000, true)); // a single block keeps its order
  EXPECT_TRUE(std::ranges::is_sorted(one.element));
  PlanRequest direct{OP_PLAN_ELEMENT_COLOURS, 0, 1000, 32, {}};
  direct.compact = true;
  EXPECT_EQ(build_plan(direct).ncolours, 1);
}

TEST(Compact, OtherKindsDoNotKnowIt) {
  PlanKey key;
  key.kind = OP_PLAN_BLOCK_COLOURS;
  key.compact = true;
  EXPECT_FALSE(canonical(key).compact);
  key.kind = OP_PLAN_ELEMENT_COLOURS;
  EXPECT_TRUE(canonical(key).compact);
  const Mesh mesh = box(5);
  PlanRequest request = mesh.request(16, true);
  request.kind = OP_PLAN_BLOCK_COLOURS;
  EXPECT_EQ(build_plan(request).view().element, nullptr);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
