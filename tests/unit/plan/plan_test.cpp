// plan_test.cpp: the inspector against a plain, slow one on random meshes, and the cache of plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plan/adapt/adapt.hpp"
#include "plan/blocks.hpp"
#include "plan/kept/plan_bytes.hpp"
#include "plan/plan.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {
namespace {

// ---- the oracle: everything by its definition ---------------------------------------------------------------

using Targets = std::set<std::pair<int, int>>; // (group, target)

Targets targets_of(const PlanRequest &request, int first, int last) {
  Targets targets;
  for (std::size_t g = 0; g < request.groups.size(); ++g)
    for (const ColumnSet &set : request.groups[g].columns)
      for (int n = first; n < last; ++n) {
        if (set.map == nullptr) targets.emplace(static_cast<int>(g), n);
        for (int j = 0; set.map != nullptr && j < set.count; ++j)
          targets.emplace(static_cast<int>(g), set.map[n * set.map_stride + set.column + j]);
      }
  return targets;
}

// Things in the given order each take the lowest colour that no earlier thing with a common target has.
std::vector<int> plain_first_fit(const std::vector<Targets> &things) {
  std::map<std::pair<int, int>, std::vector<std::size_t>> seen_by;
  std::vector<int> colour;
  for (std::size_t i = 0; i < things.size(); ++i) {
    std::vector<bool> taken(i + 1);
    for (const auto &target : things[i]) {
      for (const std::size_t earlier : seen_by[target]) taken[static_cast<std::size_t>(colour[earlier])] = true;
      seen_by[target].push_back(i);
    }
    colour.push_back(static_cast<int>(std::ranges::find(taken, false) - taken.begin()));
  }
  return colour;
}

int count_colours(const std::vector<int> &colour) { return colour.empty() ? 0 : *std::ranges::max_element(colour) + 1; }

// The lists by colour that belong to `colour`: every thing once, ascending within a colour.
void expect_order(const Plan &plan, const std::vector<int> &colour, int base) {
  ASSERT_EQ(plan.ncolours, count_colours(colour));
  std::vector<int> offset{0}, order;
  for (int c = 0; c < plan.ncolours; ++c) {
    for (std::size_t i = 0; i < colour.size(); ++i)
      if (colour[i] == c) order.push_back(base + static_cast<int>(i));
    offset.push_back(static_cast<int>(order.size()));
  }
  EXPECT_EQ(plan.colour_offset, offset);
  EXPECT_EQ(plan.order, order);
}

void expect_no_meeting(const Plan &plan, const std::vector<Targets> &things, int base) {
  for (std::size_t c = 0; c < static_cast<std::size_t>(plan.ncolours); ++c) {
    Targets reached;
    for (int i = plan.colour_offset[c]; i < plan.colour_offset[c + 1]; ++i)
      for (const auto &target : things[static_cast<std::size_t>(plan.order[static_cast<std::size_t>(i)] - base)])
        ASSERT_TRUE(reached.insert(target).second) << "colour " << c << " meets target " << target.second;
  }
}

void expect_blocks(const Plan &plan, int block_size) {
  EXPECT_EQ(plan.block_offset.front(), plan.begin);
  EXPECT_EQ(plan.block_offset.back(), plan.end);
  for (std::size_t b = 0; b + 1 < plan.block_offset.size(); ++b) {
    const int size = plan.block_offset[b + 1] - plan.block_offset[b];
    EXPECT_GT(size, 0);
    EXPECT_LE(size, block_size);
  }
}

std::vector<Targets> targets_of_elements(const PlanRequest &request, int first, int last) {
  std::vector<Targets> things;
  for (int n = first; n < last; ++n) things.push_back(targets_of(request, n, n + 1));
  return things;
}

void check_blocks(const PlanRequest &request, const Plan &plan) {
  const int elements = std::max(0, request.end - request.begin);
  expect_blocks(plan, request.block_size > 0 ? request.block_size : default_block_size(elements));
  std::vector<Targets> things;
  for (std::size_t b = 0; b + 1 < plan.block_offset.size(); ++b)
    things.push_back(targets_of(request, plan.block_offset[b], plan.block_offset[b + 1]));
  expect_order(plan, plain_first_fit(things), 0);
  expect_no_meeting(plan, things, 0);
}

void check_element_colours(const PlanRequest &request, const Plan &plan) {
  ASSERT_EQ(plan.element_colour.size(), static_cast<std::size_t>(plan.end - plan.begin));
  ASSERT_EQ(plan.block_element_colours.size() + 1, plan.block_offset.size());
  for (std::size_t b = 0; b + 1 < plan.block_offset.size(); ++b) {
    const int first = plan.block_offset[b], last = plan.block_offset[b + 1];
    const std::vector<int> expected = plain_first_fit(targets_of_elements(request, first, last));
    const auto from = plan.element_colour.begin() + (first - plan.begin);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), from)) << "block " << b;
    EXPECT_EQ(plan.block_element_colours[b], count_colours(expected));
  }
}

void check_all_kinds(PlanRequest request) {
  request.kind = OP_PLAN_BLOCK_COLOURS;
  check_blocks(request, build_plan(request));
  request.kind = OP_PLAN_ELEMENT_COLOURS;
  const Plan inside = build_plan(request);
  check_blocks(request, inside);
  check_element_colours(request, inside);
  request.kind = OP_PLAN_GLOBAL_COLOURS;
  const Plan global = build_plan(request);
  const std::vector<Targets> things = targets_of_elements(request, request.begin, request.end);
  expect_order(global, plain_first_fit(things), request.begin);
  expect_no_meeting(global, things, request.begin);
  EXPECT_EQ(global.view().nblocks, 0);
}

// ---- random meshes ------------------------------------------------------------------------------------------

struct Mesh {
  std::vector<std::vector<int>> maps; // own the memory the request points to
  PlanRequest request;
};

struct Dice {
  std::mt19937 engine;
  int operator()(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }
};

// A map whose targets lie near the element (as in a numbered mesh) or anywhere; some elements reach a target twice.
std::vector<int> random_map(Dice &dice, int elements, int dim, int rows, bool local) {
  std::vector<int> map;
  for (int n = 0; n < elements; ++n)
    for (int j = 0; j < dim; ++j) {
      const bool twice = j > 0 && dice(0, 19) == 0;
      const int near = std::clamp(n * rows / elements + dice(-4, 4), 0, rows - 1);
      map.push_back(twice ? map.back() : local ? near : dice(0, rows - 1));
    }
  return map;
}

Mesh random_mesh(unsigned seed) {
  Dice dice{std::mt19937(seed)};
  Mesh mesh;
  const int elements = seed % 7 == 0 ? dice(0, 3) : dice(1, 3000);
  const int ngroups = dice(1, 3);
  mesh.maps.reserve(8);
  for (int g = 0; g < ngroups; ++g) {
    const bool identity = dice(0, 2) == 0;
    const int rows = identity ? std::max(1, elements) : dice(1, 1 + elements);
    ConflictGroup group;
    if (identity) group.columns.push_back({nullptr, 0, 0, 1, rows});
    for (int maps = dice(identity ? 0 : 1, 2); maps > 0; --maps) {
      const int dim = dice(1, 4), column = dice(0, dim - 1);
      mesh.maps.push_back(random_map(dice, elements, dim, rows, dice(0, 2) > 0));
      group.columns.push_back({mesh.maps.back().data(), dim, column, dice(1, dim - column), rows});
      if (dice(0, 1) == 0) group.columns.push_back({mesh.maps.back().data(), dim, dice(0, dim - 1), 1, rows});
    }
    mesh.request.groups.push_back(group);
  }
  mesh.request.begin = dice(0, 2) == 0 ? dice(0, elements) : 0;
  mesh.request.end = dice(0, 2) == 0 ? dice(mesh.request.begin, elements) : elements;
  mesh.request.block_size = dice(0, 4) == 0 ? 0 : dice(1, 200);
  return mesh;
}

// Every element reaches one of `hubs` targets.
Mesh star(int elements, int hubs, int block_size) {
  Mesh mesh;
  mesh.maps.emplace_back();
  for (int n = 0; n < elements; ++n) mesh.maps[0].push_back(n % hubs);
  mesh.request = {OP_PLAN_BLOCK_COLOURS, 0, elements, block_size, {{{{mesh.maps[0].data(), 1, 0, 1, hubs}}}}};
  return mesh;
}

class RandomMesh : public testing::TestWithParam<unsigned> {};

TEST_P(RandomMesh, EqualsPlainFirstFit) { check_all_kinds(random_mesh(GetParam()).request); }

TEST_P(RandomMesh, CountsDistinctTargets) {
  const Mesh mesh = random_mesh(GetParam());
  for (const ConflictGroup &group : mesh.request.groups) {
    PlanRequest one = mesh.request;
    one.groups = {group};
    const Targets expected = targets_of(one, one.begin, one.end);
    EXPECT_EQ(count_distinct_targets(group.columns, one.begin, one.end), static_cast<std::int64_t>(expected.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMesh, testing::Range(0u, 60u));

// ---- particular meshes --------------------------------------------------------------------------------------

TEST(Plan, StarNeedsAsManyColoursAsBlocks) {
  for (const int elements : {64, 65, 128, 129, 300, 3000}) {
    const Mesh mesh = star(elements, 1, 1);
    check_all_kinds(mesh.request);
    EXPECT_EQ(build_plan(mesh.request).ncolours, elements);
  }
}

TEST(Plan, ManyColoursInsideABlock) {
  Mesh mesh = star(2000, 3, 700);
  mesh.request.kind = OP_PLAN_ELEMENT_COLOURS;
  check_all_kinds(mesh.request);
  EXPECT_EQ(build_plan(mesh.request).block_element_colours, (std::vector<int>{234, 234, 200}));
}

TEST(Plan, FewWaitingElementsAmongManyRows) { // the marks of a later pass are cleared one by one
  const int elements = 2500, hub_elements = 150, rows = 100000;
  Mesh mesh;
  mesh.maps.emplace_back();
  for (int n = 0; n < elements; ++n) {
    mesh.maps[0].push_back(n * 39 + 1);
    mesh.maps[0].push_back(n < hub_elements ? 0 : n * 39 + 2);
  }
  mesh.request = {OP_PLAN_GLOBAL_COLOURS, 0, elements, 16, {{{{mesh.maps[0].data(), 2, 0, 2, rows}}}}};
  check_all_kinds(mesh.request);
  EXPECT_EQ(build_plan(mesh.request).ncolours, hub_elements);
}

TEST(Plan, DirectWriteMeetsIndirectOne) {
  const std::vector<int> next{1, 2, 3, 0}; // element n writes itself and its neighbour in a ring
  const PlanRequest request{OP_PLAN_GLOBAL_COLOURS, 0, 4, 0, {{{{nullptr, 0, 0, 1, 4}, {next.data(), 1, 0, 1, 4}}}}};
  const Plan plan = build_plan(request);
  EXPECT_EQ(plan.ncolours, 2);
  EXPECT_EQ(plan.order, (std::vector<int>{0, 2, 1, 3}));
}

TEST(Plan, OneColourWhenNothingCollides) {
  const std::vector<ConflictGroup> direct{{{{nullptr, 0, 0, 1, 1000}}}};
  for (const auto &groups : {std::vector<ConflictGroup>{}, std::vector<ConflictGroup>(1), direct}) {
    const Plan inside = build_plan({OP_PLAN_ELEMENT_COLOURS, 10, 1000, 100, groups});
    EXPECT_EQ(inside.ncolours, 1);
    EXPECT_EQ(inside.colour_offset, (std::vector<int>{0, 10}));
    EXPECT_EQ(inside.element_colour, std::vector<int>(990, 0));
    EXPECT_EQ(inside.block_element_colours, std::vector<int>(10, 1));
    const Plan global = build_plan({OP_PLAN_GLOBAL_COLOURS, 10, 1000, 100, groups});
    EXPECT_EQ(global.colour_offset, (std::vector<int>{0, 990}));
    EXPECT_EQ(global.order.front(), 10);
  }
}

TEST(Plan, EmptyRangeHasNothing) {
  const Mesh mesh = star(10, 1, 4);
  for (int kind = OP_PLAN_NONE; kind <= OP_PLAN_GLOBAL_COLOURS; ++kind) {
    const Plan plan = build_plan({kind, 7, 7, 4, mesh.request.groups});
    const op_exec_plan view = plan.view();
    EXPECT_EQ(view.nblocks, 0);
    EXPECT_EQ(view.ncolours, 0);
    EXPECT_EQ(view.block_offset[0], 7);
    EXPECT_EQ(view.colour_offset[0], 0);
    EXPECT_EQ(view.order, nullptr);
    EXPECT_EQ(view.element_colour, nullptr);
  }
}

TEST(Plan, WithoutColours) {
  const Plan none = build_plan({OP_PLAN_NONE, 3, 5000, 64, {}});
  EXPECT_EQ(none.block_offset, (std::vector<int>{3, 5000}));
  EXPECT_EQ(none.order, std::vector<int>{0});
  const Mesh mesh = star(200, 1, 1);
  const Plan blocks = build_plan({OP_PLAN_BLOCKS, 3, 200, 64, mesh.request.groups});
  EXPECT_EQ(blocks.block_offset, (std::vector<int>{3, 67, 131, 195, 200}));
  EXPECT_EQ(blocks.order, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(blocks.colour_offset, (std::vector<int>{0, 4}));
}

TEST(Plan, ViewPointsIntoThePlan) {
  Mesh mesh = star(100, 5, 10);
  mesh.request.kind = OP_PLAN_ELEMENT_COLOURS;
  const Plan plan = build_plan(mesh.request);
  const op_exec_plan view = plan.view();
  EXPECT_EQ(view.size, sizeof(op_exec_plan));
  EXPECT_EQ(view.end, 100);
  EXPECT_EQ(view.nblocks, 10);
  EXPECT_EQ(view.ncolours, plan.ncolours);
  EXPECT_EQ(view.order, plan.order.data());
  EXPECT_EQ(view.element_colour, plan.element_colour.data());
}

TEST(Plan, RefusesWhatCannotBe) {
  const std::vector<int> map{0, 1, 2, -1};
  const auto status = [&](int kind, int rows, int column, int end) {
    try {
      build_plan({kind, 0, end, 2, {{{{map.data(), 1, column, 1, rows}}}}});
    } catch (const Error &error) {
      return error.code;
    }
    return OP_OK;
  };
  EXPECT_EQ(status(OP_PLAN_BLOCK_COLOURS, 3, 0, 3), OP_OK);
  EXPECT_EQ(status(OP_PLAN_BLOCK_COLOURS, 2, 0, 3), OP_ERR_RANGE);
  EXPECT_EQ(status(OP_PLAN_BLOCK_COLOURS, 3, 0, 4), OP_ERR_RANGE);
  EXPECT_EQ(status(OP_PLAN_BLOCK_COLOURS, 3, 1, 3), OP_ERR_INTERNAL);
  EXPECT_EQ(status(7, 3, 0, 3), OP_ERR_INTERNAL);
}

TEST(Plan, DefaultBlockSizeIsModest) {
  for (int elements = 0; elements < 2000000; elements += 1 + elements / 50)
    EXPECT_EQ(default_block_size(elements) % 8, 0) << elements;
  EXPECT_EQ(default_block_size(0), 64);
  EXPECT_EQ(default_block_size(2147483647), 1024);
  EXPECT_EQ(split_blocks(2147483000, 2147483647, 600), (std::vector<int>{2147483000, 2147483600, 2147483647}));
}

// ---- changed maps -------------------------------------------------------------------------------------------

// Blocks and elements of blocks of one colour do not meet, and every colour is in use.
void expect_coloured(const PlanRequest &request, const Plan &plan) {
  std::vector<Targets> things;
  for (std::size_t b = 0; b + 1 < plan.block_offset.size(); ++b)
    things.push_back(targets_of(request, plan.block_offset[b], plan.block_offset[b + 1]));
  expect_no_meeting(plan, things, 0);
  std::vector<int> seen = plan.order;
  std::ranges::sort(seen);
  for (std::size_t b = 0; b < seen.size(); ++b) ASSERT_EQ(seen[b], static_cast<int>(b));
  ASSERT_EQ(seen.size(), things.size());
  for (std::size_t c = 0; c < static_cast<std::size_t>(plan.ncolours); ++c)
    EXPECT_LT(plan.colour_offset[c], plan.colour_offset[c + 1]);
  if (plan.kind == OP_PLAN_ELEMENT_COLOURS) check_element_colours(request, plan);
}

TEST(Changed, BlocksAreColouredAgain) {
  Dice dice{std::mt19937(11)};
  for (const int kind : {OP_PLAN_BLOCK_COLOURS, OP_PLAN_ELEMENT_COLOURS}) {
    std::vector<int> map = random_map(dice, 4000, 2, 2000, true);
    PlanRequest request{kind, 0, 4000, 50, {{{{map.data(), 2, 0, 2, 2000}}}}};
    Plan plan = build_plan(request);
    const int colours = plan.ncolours;
    int adapted = 0;
    for (int round = 0; round < 20; ++round) {
      const int first = 40 * round;
      std::vector<int> elements;
      for (int n = first; n < first + 30; ++n) {
        elements.push_back(n);
        map[static_cast<std::size_t>(2 * n)] = dice(0, 1999);
      }
      if (adapt_plan(plan, request, elements)) {
        ++adapted;
        EXPECT_GE(plan.ncolours, colours);
      } else { // too many blocks were left over
        plan = build_plan(request);
      }
      expect_coloured(request, plan);
    }
    EXPECT_GE(adapted, 18);
  }
}

TEST(Changed, PlansWithoutMapsStay) {
  PlanRequest request{OP_PLAN_BLOCKS, 0, 100, 10, {}};
  Plan plan = build_plan(request);
  const int element[] = {5};
  EXPECT_TRUE(adapt_plan(plan, request, element));
  EXPECT_EQ(plan.block_offset, build_plan(request).block_offset);
}

// ---- as bytes -----------------------------------------------------------------------------------------------

TEST(PlanBytes, GiveThePlanAgain) {
  for (const int kind : {OP_PLAN_BLOCKS, OP_PLAN_BLOCK_COLOURS, OP_PLAN_ELEMENT_COLOURS, OP_PLAN_OWNER}) {
    std::vector<int> map = {0, 1, 1, 2, 2, 0, 40, 3};
    const PlanRequest request = {kind, 0, 4, 2, {{{{map.data(), 2, 0, 2, 50}}}}, 2};
    const Plan plan = build_plan(request);
    const std::string bytes = bytes_of_plan(plan);
    const std::optional<Plan> again = plan_of_bytes(bytes, 0, 4);
    ASSERT_TRUE(again);
    EXPECT_EQ(bytes, bytes_of_plan(*again));
    EXPECT_EQ(plan.order, again->order);
    EXPECT_EQ(plan.owner.part_of_grain, again->owner.part_of_grain);
    EXPECT_FALSE(plan_of_bytes(bytes, 0, 5)) << "another range";
    for (std::size_t length = 0; length < bytes.size(); length += 7)
      EXPECT_FALSE(plan_of_bytes(std::string_view(bytes).substr(0, length), 0, 4)) << length;
  }
}

// ---- the cache ----------------------------------------------------------------------------------------------

class Cache : public testing::Test {
 protected:
  const Plan &get(int kind, std::vector<std::vector<PlanColumns>> groups, int end = 100, int block_size = 10) {
    return cache.get({kind, 0, end, block_size, std::move(groups)}, [this](int number) {
      EXPECT_LT(number, 2);
      return PlanMap{maps[static_cast<std::size_t>(number)].data(), 4, 100};
    });
  }

  Dice dice{std::mt19937(42)};
  std::vector<std::vector<int>> maps{random_map(dice, 100, 4, 100, true), random_map(dice, 100, 4, 100, false)};
  PlanCache cache;
};

TEST_F(Cache, BuildsOnceAndSharesWhatIsAlike) {
  using Groups = std::vector<std::vector<PlanColumns>>;
  const Plan &plan = get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 2}, {1, 3, 1}}});
  const Groups parts{{{1, 3, 1}, {0, 1, 1}, {0, 0, 1}, {0, 0, 2}}}; // another order, in pieces, repeated
  const Groups twins{{{0, 0, 2}, {1, 3, 1}}, {{1, 3, 1}, {0, 0, 2}}};
  const Groups inside{{{0, 1, 1}}, {{0, 0, 2}, {1, 3, 1}}, {{1, 3, 1}}};
  const Groups harmless{{{0, 0, 2}, {1, 3, 1}}, {{plan_identity, 0, 1}}, {}};
  for (const Groups &groups : {parts, twins, inside, harmless}) EXPECT_EQ(&plan, &get(OP_PLAN_BLOCK_COLOURS, groups));
  EXPECT_EQ(cache.stats().builds, 1);
  EXPECT_EQ(cache.stats().hits, 4);
  EXPECT_GT(cache.stats().seconds, 0);
}

TEST_F(Cache, BuildsWhatTheRequestSays) {
  const std::vector<ConflictGroup> groups{
      {{{maps[0].data(), 4, 0, 2, 100}, {maps[1].data(), 4, 1, 3, 100}, {nullptr, 0, 0, 1, 100}}},
      {{{maps[1].data(), 4, 0, 1, 100}}}};
  for (int kind = OP_PLAN_NONE; kind <= OP_PLAN_GLOBAL_COLOURS; ++kind) {
    const Plan direct = build_plan({kind, 0, 100, 10, groups});
    const Plan &cached = get(kind, {{{1, 0, 1}}, {{1, 1, 3}, {0, 0, 2}, {plan_identity, 0, 1}}});
    EXPECT_EQ(cached.block_offset, direct.block_offset);
    EXPECT_EQ(cached.colour_offset, direct.colour_offset);
    EXPECT_EQ(cached.order, direct.order);
    EXPECT_EQ(cached.element_colour, direct.element_colour);
  }
}

TEST_F(Cache, TellsApartWhatDiffers) {
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}, {1, 0, 1}}});
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}}, {{1, 0, 1}}});
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}, {1, 0, 1}, {plan_identity, 0, 1}}});
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 1, 1}, {1, 0, 1}}});
  get(OP_PLAN_ELEMENT_COLOURS, {{{0, 0, 1}, {1, 0, 1}}});
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}, {1, 0, 1}}}, 99);
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}, {1, 0, 1}}}, 100, 11);
  EXPECT_EQ(cache.stats().builds, 7);
  EXPECT_EQ(cache.stats().hits, 0);
}

TEST_F(Cache, IgnoresWhatTheKindIgnores) {
  EXPECT_EQ(&get(OP_PLAN_NONE, {{{0, 0, 1}}}, 100, 10), &get(OP_PLAN_NONE, {}, 100, 20));
  EXPECT_EQ(&get(OP_PLAN_BLOCKS, {{{0, 0, 1}}}, 100, 0), &get(OP_PLAN_BLOCKS, {}, 100, default_block_size(100)));
  EXPECT_EQ(&get(OP_PLAN_GLOBAL_COLOURS, {{{0, 0, 1}}}, 100, 3), &get(OP_PLAN_GLOBAL_COLOURS, {{{0, 0, 1}}}, 100, 4));
  EXPECT_EQ(cache.stats().builds, 3);
}

TEST_F(Cache, ForgetsAMapAndNothingElse) {
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}}, {{1, 0, 1}}});
  const Plan &other = get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}}});
  get(OP_PLAN_BLOCKS, {});
  cache.forget_map(1);
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(&other, &get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}}}));
  get(OP_PLAN_BLOCK_COLOURS, {{{0, 0, 1}}, {{1, 0, 1}}});
  EXPECT_EQ(cache.stats().builds, 4);
}

TEST_F(Cache, AdaptsPlansThroughAMapAndNothingElse) {
  const PlanKey owner{OP_PLAN_OWNER, 0, 100, 0, {{{0, 0, 2}}}, 2};
  const auto find = [this](int number) { return PlanMap{maps[static_cast<std::size_t>(number)].data(), 4, 100}; };
  const Plan *const adapted = &cache.get(owner, find);
  get(OP_PLAN_GLOBAL_COLOURS, {{{0, 0, 1}}});
  get(OP_PLAN_BLOCK_COLOURS, {{{1, 0, 1}}});
  maps[0][0] = 99;
  const int element[] = {0};
  cache.rewritten(0, element, find);
  EXPECT_EQ(cache.stats().adapted, 1);
  EXPECT_EQ(cache.size(), 2u) << "global colours are made anew";
  EXPECT_EQ(adapted, &cache.get(owner, find));
}

TEST_F(Cache, KeepsNothingOfAFailedBuild) {
  const PlanKey key{OP_PLAN_GLOBAL_COLOURS, 0, 100, 0, {{{0, 0, 1}}}};
  const auto missing = [](int) -> PlanMap { throw std::runtime_error("no such map"); };
  EXPECT_THROW(cache.get(key, missing), std::runtime_error);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.stats().builds, 0);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
