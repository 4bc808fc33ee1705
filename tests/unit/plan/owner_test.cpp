// owner_test.cpp: parts that own rows: each element's effect on each row happens once, in order, by the owner.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plan/adapt/adapt.hpp"
#include "plan/blocks.hpp"
#include "plan/owner.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {
namespace {

// Maps, and the request that points to them.
struct Mesh {
  std::vector<std::vector<int>> maps;
  PlanRequest request;
};

enum class Order { natural, random };

// Cells of a grid to their corners, and one corner that lies elsewhere; both groups written. `random`: the first map
// leads anywhere.
Mesh grid(int nx, int ny, Order order, int kind, int parts) {
  Mesh mesh;
  const int cells = nx * ny, corners = (nx + 1) * (ny + 1);
  std::mt19937 random(7);
  std::vector<int> to_corners, elsewhere;
  for (int n = 0; n < cells; ++n) {
    const int corner = n / nx * (nx + 1) + n % nx;
    for (const int entry : {corner, corner + 1, corner + nx + 1, corner + nx + 2})
      to_corners.push_back(order == Order::natural ? entry
                                                   : static_cast<int>(random() % static_cast<unsigned>(corners)));
    elsewhere.push_back(n / 2);
  }
  mesh.maps = {std::move(to_corners), std::move(elsewhere)};
  mesh.request = {kind, 0, cells, 100, {}, parts};
  mesh.request.groups = {{{{mesh.maps[0].data(), 4, 0, 4, corners, 0}}},
                         {{{mesh.maps[0].data(), 4, 1, 1, corners, 0}, {mesh.maps[1].data(), 1, 0, 1, corners, 1}}}};
  return mesh;
}

// One thing that a segment does: element n reaches `row` of `group` through local column c.
struct Reach {
  int n;
  std::size_t column;
  friend bool operator==(const Reach &, const Reach &) = default;
};

struct Replay {
  const PlanRequest &request;
  const op_exec_plan view;
  std::map<std::pair<int, int>, int> owner;                  // (group, row) -> part
  std::map<std::pair<int, int>, std::vector<Reach>> reaches; // in the order of the owner's segments
  std::vector<int> runs = std::vector<int>(static_cast<std::size_t>(request.end)); // of each element
  std::vector<int> blocks = std::vector<int>(static_cast<std::size_t>(view.nblocks));

  int row(std::size_t column, int n) const {
    std::size_t c = 0;
    for (const ConflictGroup &group : request.groups)
      for (const ColumnSet &set : group.columns)
        for (int j = 0; j < set.count; ++j)
          if (c++ == column) return set.map[n * set.map_stride + set.column + j];
    ADD_FAILURE() << "no such column";
    return -1;
  }

  void reach(int part, int group, int row, Reach what) {
    const auto [at, fresh] = owner.emplace(std::pair{group, row}, part);
    ASSERT_EQ(at->second, part) << "row " << row << " of group " << group << " has two owners";
    reaches[{group, row}].push_back(what);
  }

  void segment(int part, const op_exec_segment &segment) {
    const int columns = view.group_offset[view.ngroups];
    if (segment.block >= 0) {
      ++blocks[static_cast<std::size_t>(segment.block)];
      EXPECT_EQ(segment.begin, view.block_offset[segment.block]);
      EXPECT_EQ(segment.end, view.block_offset[segment.block + 1]);
    }
    for (int n = segment.begin; n < segment.end; ++n) {
      ++runs[static_cast<std::size_t>(n)];
      for (int g = 0; g < view.ngroups; ++g)
        for (int c = view.group_offset[g]; c < view.group_offset[g + 1]; ++c) {
          const int row = this->row(static_cast<std::size_t>(c), n);
          if (segment.staged < 0) {
            reach(part, g, row, {n, static_cast<std::size_t>(c)});
            continue;
          }
          const std::int64_t *slots = view.slot_offset + segment.staged * view.ngroups + g;
          const int slot = view.local[view.local_offset[segment.staged] + (n - segment.begin) * columns + c];
          ASSERT_GE(slot, 0);
          ASSERT_LE(slot, slots[1] - slots[0]);
          if (slot == slots[1] - slots[0]) continue; // somebody else's
          ASSERT_EQ(view.slot_row[slots[0] + slot], row);
          reach(part, g, row, {n, static_cast<std::size_t>(c)});
        }
    }
  }

  void run() {
    for (int part = 0; part < view.nparts; ++part)
      for (int s = view.part_offset[part]; s < view.part_offset[part + 1]; ++s) {
        if (s > view.part_offset[part] && request.sequence.empty()) {
          EXPECT_GE(view.segments[s].begin, view.segments[s - 1].end);
        }
        segment(part, view.segments[s]);
      }
  }
};

// The elements of the request in their order, and which of them are copies.
std::vector<int> elements_of(const PlanRequest &request) {
  std::vector<int> out;
  const std::vector<SequenceRun> natural = {{request.begin, request.end, true}};
  for (const SequenceRun &run : request.sequence.empty() ? std::span(natural) : request.sequence)
    for (int n = run.begin; n < run.end; ++n) out.push_back(n);
  return out;
}

int own_blocks(const PlanRequest &request, const op_exec_plan &view) {
  int own = view.nblocks;
  for (const SequenceRun &run : request.sequence)
    for (int b = 0; b < view.nblocks && !run.own; ++b)
      if (view.block_offset[b] >= run.begin && view.block_offset[b] < run.end) --own;
  return own;
}

// By definition: every reach of every element, once, in the order of the elements.
void check(const PlanRequest &request, const Plan &plan) {
  Replay replay{request, plan.view(), {}, {}};
  replay.run();
  std::map<std::pair<int, int>, std::vector<Reach>> expected;
  for (const int n : elements_of(request))
    for (int g = 0; g < replay.view.ngroups; ++g)
      for (int c = replay.view.group_offset[g]; c < replay.view.group_offset[g + 1]; ++c)
        expected[{g, replay.row(static_cast<std::size_t>(c), n)}].push_back({n, static_cast<std::size_t>(c)});
  EXPECT_TRUE(replay.reaches == expected);
  for (int n = request.begin; n < request.end; ++n) EXPECT_GE(replay.runs[static_cast<std::size_t>(n)], 1);
  if (request.kind == OP_PLAN_OWNER_BLOCKS) {
    EXPECT_LE(*std::ranges::max_element(replay.blocks), 1) << "every block whole and once";
    EXPECT_EQ(std::ranges::count(replay.blocks, 1), own_blocks(request, replay.view)) << "but for those of copies";
  }
}
void check(const PlanRequest &request) { check(request, build_plan(request)); }

class OwnerPlan : public testing::TestWithParam<int> {};

TEST_P(OwnerPlan, HoldsEveryReachOnceAndInOrder) {
  for (const Order order : {Order::natural, Order::random})
    for (const int parts : {1, 2, 3, 7, 64}) {
      SCOPED_TRACE(parts);
      check(grid(60, 37, order, GetParam(), parts).request);
      check(grid(5, 3, order, GetParam(), parts).request);
    }
}

// Elements that lie otherwise than they were declared, the last ones copies.
TEST_P(OwnerPlan, FollowsASequence) {
  std::mt19937 random(5);
  for (const int swaps : {0, 3, 40, 5000})
    for (const int parts : {1, 2, 3, 5}) {
      Mesh mesh = grid(60, 37, Order::natural, GetParam(), parts);
      const int executed = mesh.request.end, size = executed - 150;
      std::vector<std::int64_t> numbers(static_cast<std::size_t>(executed));
      std::iota(numbers.begin(), numbers.end(), 1000);
      for (int i = 0; i < swaps; ++i) std::swap(numbers[random() % numbers.size()], numbers[random() % numbers.size()]);
      const std::vector<SequenceRun> sequence = sequence_of(numbers, size, executed);
      mesh.request.sequence = sequence;
      SCOPED_TRACE(testing::Message() << swaps << " swaps, " << parts << " parts");
      check(mesh.request);
    }
}

TEST(Sequence, IsTheOrderOfTheNumbersInRuns) {
  std::mt19937 random(6);
  for (const int executed : {0, 1, 7, 300}) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(executed));
    std::iota(numbers.begin(), numbers.end(), 5);
    if (executed == 300) std::shuffle(numbers.begin() + 20, numbers.end() - 50, random);
    for (const int size : {0, executed / 2, executed}) {
      std::vector<std::int64_t> met;
      for (const SequenceRun &run : sequence_of(numbers, size, executed)) {
        EXPECT_LT(run.begin, run.end);
        EXPECT_EQ(run.own, run.end <= size);
        EXPECT_EQ(run.own, run.begin < size);
        for (int n = run.begin; n < run.end; ++n) met.push_back(numbers[static_cast<std::size_t>(n)]);
      }
      EXPECT_TRUE(std::ranges::is_sorted(met));
      EXPECT_EQ(met.size(), numbers.size());
    }
  }
  EXPECT_EQ(sequence_of({}, 4, 4), (std::vector<SequenceRun>{{0, 4, true}}));
  const std::int64_t numbers[] = {0, 1, 4, 5, 2, 3, 6};
  EXPECT_EQ(sequence_of(numbers, 4, 7),
            (std::vector<SequenceRun>{{0, 2, true}, {4, 6, false}, {2, 4, true}, {6, 7, false}}));
}

TEST_P(OwnerPlan, OfAPieceOfTheSet) {
  Mesh mesh = grid(60, 37, Order::natural, GetParam(), 3);
  mesh.request.begin = 301;
  mesh.request.end = 1777;
  check(mesh.request);
  mesh.request.end = 301;
  EXPECT_EQ(build_plan(mesh.request).owner.segments.size(), 0u);
}

TEST_P(OwnerPlan, OnePartIsTheNaturalOrder) {
  const Plan plan = build_plan(grid(60, 37, Order::random, GetParam(), 1).request);
  EXPECT_TRUE(plan.owner.local_offset.empty());
  const std::size_t blocks = GetParam() == OP_PLAN_OWNER ? 1 : (60 * 37 + 99) / 100;
  EXPECT_EQ(plan.owner.segments.size(), blocks);
}

TEST_P(OwnerPlan, RefusesWhatCannotBe) {
  const auto status = [](const PlanRequest &request) {
    try {
      build_plan(request);
    } catch (const Error &error) {
      return error.code;
    }
    return OP_OK;
  };
  Mesh mesh = grid(6, 6, Order::natural, GetParam(), 2);
  EXPECT_EQ(status(mesh.request), OP_OK);
  PlanRequest short_set = mesh.request;
  short_set.groups[0].columns[0].rows = 10;
  EXPECT_EQ(status(short_set), OP_ERR_RANGE);
  PlanRequest itself = mesh.request;
  itself.groups[0].columns.push_back({nullptr, 0, 0, 1, 49});
  EXPECT_EQ(status(itself), OP_ERR_INTERNAL);
  PlanRequest beside = mesh.request;
  beside.groups[0].columns[0].column = 1;
  EXPECT_EQ(status(beside), OP_ERR_INTERNAL);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OwnerPlan, testing::Values(OP_PLAN_OWNER, OP_PLAN_OWNER_BLOCKS));

// Long runs in place, and few elements twice.
TEST(Owner, RunsAreLongInAnOrderedMesh) {
  Mesh mesh = grid(200, 200, Order::natural, OP_PLAN_OWNER, 2);
  mesh.request.groups.resize(1);
  const Plan plan = build_plan(mesh.request);
  int in_place = 0;
  for (const op_exec_segment &segment : plan.owner.segments)
    if (segment.staged < 0) in_place += segment.end - segment.begin;
  EXPECT_GE(in_place, 200 * 200 - 200 - 16);
  EXPECT_LE(plan.owner.segments.size(), 6u);
}

TEST(Owner, EvenBordersAreMultiplesOfTheGrain) {
  for (const int rows : {0, 1, 15, 16, 17, 1000, 1000003})
    for (const int parts : {1, 2, 3, 7, 64}) {
      const std::vector<int> borders = even_borders(rows, parts);
      ASSERT_EQ(borders.size(), static_cast<std::size_t>(parts) + 1);
      EXPECT_EQ(borders.front(), 0);
      EXPECT_EQ(borders.back(), rows);
      for (std::size_t p = 0; p + 1 < borders.size(); ++p) {
        EXPECT_LE(borders[p], borders[p + 1]);
        EXPECT_TRUE(borders[p] % owner_grain == 0 || borders[p] == rows);
        EXPECT_LE(borders[p + 1] - borders[p], rows / parts + 2 * owner_grain);
      }
    }
  EXPECT_EQ(even_borders(2147483647, 2), (std::vector<int>{0, 1073741824, 2147483647}));
}

// A boundary loop that only reaches the first rows of a large set.
TEST(Owner, DealsOutRowsByWorkWhereEvenPartsWouldIdle) {
  std::vector<int> map(4000);
  std::iota(map.begin(), map.end(), 0);
  const PlanRequest request{OP_PLAN_OWNER, 0, 4000, 0, {{{{map.data(), 1, 0, 1, 1000000, 0}}}}, 4};
  check(request);
  const Plan plan = build_plan(request);
  for (int part = 0; part < 4; ++part) {
    int elements = 0;
    for (int s = plan.owner.part_offset[static_cast<std::size_t>(part)];
         s < plan.owner.part_offset[static_cast<std::size_t>(part) + 1]; ++s)
      elements +=
          plan.owner.segments[static_cast<std::size_t>(s)].end - plan.owner.segments[static_cast<std::size_t>(s)].begin;
    EXPECT_NEAR(elements, 1000, 2 * owner_grain);
  }
}

TEST(Owner, WorkTellsOrderedMeshesFromShuffledOnes) {
  for (const int kind : {OP_PLAN_OWNER, OP_PLAN_OWNER_BLOCKS}) {
    Mesh natural = grid(400, 400, Order::natural, kind, 9), random = grid(400, 400, Order::random, kind, 9);
    natural.request.groups.resize(1);
    const std::vector<int> blocks = split_blocks(0, 160000, 1000);
    EXPECT_LT(owner_work(natural.request, blocks), 1.2);
    EXPECT_GT(owner_work(random.request, blocks), most_owner_work);
    random.request.parts = 1;
    EXPECT_LT(owner_work(random.request, blocks), 1.2); // nobody shares an element
  }
}

// ---- the cache chooses -------------------------------------------------------------------------------------------

struct Chooser {
  explicit Chooser(Order order) : mesh(grid(400, 100, order, OP_PLAN_OWNER, 1)) {}
  const Plan &get(int kind, int parts, int otherwise) {
    PlanKey key{kind, 0, mesh.request.end, 0, {{{0, 0, 4}}}, parts, otherwise};
    return cache.get(key, [this](int) { return PlanMap{mesh.maps[0].data(), 4, 401 * 101}; });
  }
  Mesh mesh;
  PlanCache cache;
};

TEST(OwnerCache, TakesColoursWhereOwnersWouldWorkTwice) {
  Chooser good(Order::natural), bad(Order::random);
  for (const int parts : {1, 2, 5}) {
    EXPECT_EQ(good.get(OP_PLAN_OWNER, parts, OP_PLAN_BLOCK_COLOURS).kind, OP_PLAN_OWNER);
    EXPECT_EQ(good.get(OP_PLAN_OWNER_BLOCKS, parts, OP_PLAN_BLOCK_COLOURS).kind, OP_PLAN_OWNER_BLOCKS);
    EXPECT_EQ(bad.get(OP_PLAN_OWNER, parts, OP_PLAN_BLOCK_COLOURS).kind, OP_PLAN_BLOCK_COLOURS);
    EXPECT_EQ(bad.get(OP_PLAN_OWNER, parts, OP_PLAN_NONE).kind, OP_PLAN_OWNER);
  }
  EXPECT_EQ(good.cache.stats().builds, 6);
  EXPECT_EQ(bad.cache.stats().builds, 4); // the colours once
  EXPECT_EQ(good.get(OP_PLAN_OWNER, 5, OP_PLAN_NONE).owner.column_map, (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(good.get(OP_PLAN_OWNER, 5, OP_PLAN_NONE).owner.column, (std::vector<int>{0, 1, 2, 3}));
}

TEST(OwnerCache, ForgetsItsJudgementWithTheMap) {
  Chooser chooser(Order::random);
  chooser.get(OP_PLAN_OWNER, 2, OP_PLAN_BLOCK_COLOURS);
  chooser.cache.forget_map(0);
  chooser.mesh = grid(400, 100, Order::natural, OP_PLAN_OWNER, 1);
  EXPECT_EQ(chooser.get(OP_PLAN_OWNER, 2, OP_PLAN_BLOCK_COLOURS).kind, OP_PLAN_OWNER);
}

// Rows of the maps change again and again; each time the adapted plan does what a new one would.
class Adapted : public testing::TestWithParam<std::tuple<int, int, int>> {}; // kind, parts, changed elements

TEST_P(Adapted, DoesWhatANewPlanWould) {
  const auto [kind, parts, changed] = GetParam();
  Mesh mesh = grid(60, 40, Order::natural, kind, parts);
  Plan plan = build_plan(mesh.request);
  std::mt19937 random(3);
  for (int round = 0; round < 12; ++round) {
    std::vector<int> elements;
    const int first = static_cast<int>(random() % static_cast<unsigned>(mesh.request.end - changed));
    for (int i = 0; i < changed; ++i)
      elements.push_back(round % 2 == 0 ? first + i
                                        : static_cast<int>(random() % static_cast<unsigned>(mesh.request.end)));
    std::ranges::sort(elements);
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    for (const int n : elements)
      for (int c = 0; c < 4; ++c) {
        int &entry = mesh.maps[0][static_cast<std::size_t>(4 * n + c)];
        entry = round % 3 == 0 ? static_cast<int>(random() % (61u * 41u)) : (entry + 1) % (61 * 41);
      }
    ASSERT_TRUE(adapt_plan(plan, mesh.request, elements));
    check(mesh.request, plan);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Adapted,
                         testing::Combine(testing::Values(OP_PLAN_OWNER, OP_PLAN_OWNER_BLOCKS),
                                          testing::Values(1, 2, 5), testing::Values(1, 24, 200)));

TEST(Adapt, LeavesWhatTheChangeDoesNotReach) {
  Mesh mesh = grid(60, 40, Order::natural, OP_PLAN_OWNER, 2);
  Plan plan = build_plan(mesh.request);
  const OwnerLists before = plan.owner;
  const int first[] = {0}; // which still leads to rows of the first part
  std::swap(mesh.maps[0][0], mesh.maps[0][1]);
  ASSERT_TRUE(adapt_plan(plan, mesh.request, first));
  EXPECT_EQ(plan.owner.part_offset, before.part_offset);
  EXPECT_EQ(plan.owner.local, before.local);
}

TEST(Adapt, RefusesLargeChangesAndSequences) {
  Mesh mesh = grid(60, 40, Order::natural, OP_PLAN_OWNER, 2);
  Plan plan = build_plan(mesh.request);
  std::vector<int> many(static_cast<std::size_t>(mesh.request.end / 3));
  std::iota(many.begin(), many.end(), 0);
  EXPECT_FALSE(adapt_plan(plan, mesh.request, many));
  const SequenceRun order[] = {{0, mesh.request.end, true}};
  mesh.request.sequence = order;
  EXPECT_FALSE(adapt_plan(plan, mesh.request, std::span(many).first(1)));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
