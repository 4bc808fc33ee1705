// page_plan_test.cpp: when chunks come and leave: plans of random chains are right, keep the limit, and move what they
// must; and the faults that plan_fault() is there to find.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "loop/paged/page_plan.hpp"

namespace {

using namespace op2::core;

struct Chain {
  std::vector<PagedArrayUse> arrays;
  std::vector<UnitUses> units;
  std::int64_t largest = 0, all = 0;
};

// Windows that go through the arrays, and some chunks anywhere.
Chain random_chain(unsigned seed) {
  std::mt19937 random(seed);
  const auto upto = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  Chain out;
  const int units = 1 + static_cast<int>(upto(12));
  for (int a = 0; a < 1 + static_cast<int>(random() % 4); ++a) {
    out.arrays.push_back({1 + upto(40), upto(2) == 0, upto(4) == 0});
    out.all += out.arrays.back().chunks;
  }
  for (int u = 0; u < units; ++u) {
    out.units.emplace_back();
    std::int64_t size = 0;
    for (int a = 0; a < static_cast<int>(out.arrays.size()); ++a) {
      const std::int64_t chunks = out.arrays[static_cast<std::size_t>(a)].chunks;
      const std::int64_t first = upto(3) == 0 ? upto(static_cast<int>(chunks)) : chunks * u / units;
      const std::int64_t last = std::min(chunks, std::max(first + 1, chunks * (u + 1) / units + upto(3)));
      if (upto(8) == 0) continue;
      out.units.back().push_back({{a, first, last}, upto(2) == 0});
      size += last - first;
    }
    out.largest = std::max(out.largest, size);
  }
  return out;
}

TEST(PagePlan, BringsWhatUnitsTouchWithinTheLimit) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Chain chain = random_chain(seed);
    for (const std::int64_t limit : {chain.largest, 2 * chain.largest, (chain.largest + chain.all) / 2, chain.all})
      for (const PageTimes times : {PageTimes{0, 0}, {1, 0}, {2, 0}, {5, 0}, {0, 1}, {2, 1}, {7, 3}, {3, 7}}) {
        if (limit < chain.largest) continue;
        const PagePlan plan = plan_pages(chain.arrays, chain.units, limit, times);
        ASSERT_EQ(plan.units.size(), chain.units.size());
        EXPECT_EQ(plan_fault(plan, chain.arrays, chain.units, limit), "") << seed << ", limit " << limit;
        EXPECT_LE(plan.most, limit);
      }
  }
}

TEST(PagePlan, MovesNothingIfAllFits) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Chain chain = random_chain(seed);
    const PagePlan plan = plan_pages(chain.arrays, chain.units, chain.all);
    EXPECT_EQ(plan.loaded + plan.stored, 0) << seed;
  }
}

TEST(PagePlan, HasNoUnitsIfOneDoesNotFit) {
  const PagedArrayUse array{8};
  const UnitUses unit = {{{0, 0, 8}, true}};
  EXPECT_TRUE(plan_pages({&array, 1}, {&unit, 1}, 7).units.empty());
  EXPECT_EQ(plan_pages({&array, 1}, {&unit, 1}, 8).units.size(), 1u);
}

// Two arrays of n chunks in n units, of which m fit: each run keeps what it can.
TEST(PagePlan, KeepsWhatIsNeededSoonest) {
  const int n = 30;
  const std::vector<PagedArrayUse> arrays = {{n}, {n}};
  std::vector<UnitUses> units;
  for (int u = 0; u < n; ++u) units.push_back({{{0, u, u + 1}, false}, {{1, u, u + 1}, true}});
  for (const int limit : {8, 20, 40}) {
    const PagePlan plan = plan_pages(arrays, units, limit);
    EXPECT_EQ(plan_fault(plan, arrays, units, limit), "");
    // Beyond the units under way, what stays in memory from one run to the next need not move.
    EXPECT_LE(plan.loaded, 2 * n - (limit - 8)) << limit;
    EXPECT_LE(plan.stored, plan.loaded) << limit;
  }
}

// Chunks that a run begins with, and that are not there when it has ended.
std::int64_t lost_chunks(const PagePlan &plan) {
  std::set<std::pair<int, std::int64_t>> there;
  const auto each = [](const std::vector<Chunks> &all, const auto &act) {
    for (const Chunks &chunks : all)
      for (std::int64_t c = chunks.first; c < chunks.last; ++c) act(std::pair(chunks.array, c));
  };
  const auto come = [&](const auto &chunk) { there.insert(chunk); };
  const auto go = [&](const auto &chunk) { there.erase(chunk); };
  each(plan.start, come);
  for (const PageMoves &unit : plan.units) {
    each(unit.drop, go), each(unit.store, go);
    each(unit.make, come), each(unit.load, come), each(unit.again, come);
  }
  std::int64_t lost = 0;
  each(plan.start, [&](const auto &chunk) { lost += !there.contains(chunk); });
  return lost;
}

// Each run finds what it begins with: the same chunks stay from run to run, and the last units bring what the first
// ones need. The next run makes what it writes first by itself.
TEST(PagePlan, RunsEndAsTheyBegin) {
  const int n = 60;
  const std::vector<PagedArrayUse> arrays = {{n}, {n, true}};
  std::vector<UnitUses> units;
  for (int u = 0; u < n; ++u) units.push_back({{{0, u, u + 1}, false}, {{1, u, u + 1}, true}});
  for (const PageTimes times : {PageTimes{2, 0}, {7, 3}})
    for (const int limit : {40, 60, 80}) {
      const PagePlan plan = plan_pages(arrays, units, limit, times);
      EXPECT_EQ(plan_fault(plan, arrays, units, limit), "");
      EXPECT_EQ(lost_chunks(plan), 0) << limit;
      for (std::size_t c = 1; c < plan.start.size(); ++c) // in the order of the units
        EXPECT_GE(plan.start[c].first, plan.start[c - 1].first);
      std::int64_t again = 0;
      for (int u = 0; u < n; ++u)
        for (const Chunks &chunks : plan.units[static_cast<std::size_t>(u)].again) {
          EXPECT_GE(u, n - times.ahead - 1);
          EXPECT_EQ(chunks.array, 0);
          again += chunks.last - chunks.first;
        }
      EXPECT_GT(again, 0);
      EXPECT_LE(plan.loaded, n - limit / 2 + 2 * (times.ahead + times.behind + 2)) << limit;
      PagePlan wrong = plan;
      for (PageMoves &unit : wrong.units) unit.again.clear();
      EXPECT_GT(lost_chunks(wrong), 0) << limit;
    }
}

TEST(PagePlan, DoesNotReadWhatIsWrittenFirstNorWriteScratch) {
  const int n = 16;
  std::vector<UnitUses> units;
  for (int u = 0; u < n; ++u) units.push_back({{{0, u, u + 1}, true}});
  const PagedArrayUse plain{n}, written{n, true}, scratch{n, true, true};
  const auto plan = [&](const PagedArrayUse &array) { return plan_pages({&array, 1}, units, 4); };
  EXPECT_GE(plan(plain).loaded, n - 4);
  EXPECT_GE(plan(plain).stored, n - 4);
  EXPECT_EQ(plan(written).loaded, 0);
  EXPECT_GE(plan(written).stored, n - 4);
  EXPECT_EQ(plan(scratch).loaded + plan(scratch).stored, 0);
}

// A plan that leaves out a load, drops too early, or brings too much is found out.
TEST(PagePlan, FaultsAreFound) {
  int found = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Chain chain = random_chain(seed);
    const std::int64_t limit = 2 * chain.largest;
    const PagePlan right = plan_pages(chain.arrays, chain.units, limit);
    for (std::size_t u = 0; u < right.units.size(); ++u) {
      PagePlan wrong = right;
      if (!wrong.units[u].load.empty()) {
        wrong.units[u].load.pop_back();
        EXPECT_NE(plan_fault(wrong, chain.arrays, chain.units, limit), "") << seed;
        ++found;
      }
      wrong = right;
      if (!chain.units[u].empty()) {
        wrong.units[u].drop.push_back(chain.units[u].front().chunks);
        EXPECT_NE(plan_fault(wrong, chain.arrays, chain.units, limit), "") << seed;
      }
    }
    if (right.most > 1) {
      EXPECT_NE(plan_fault(right, chain.arrays, chain.units, right.most / 2), "") << seed;
    }
  }
  EXPECT_GT(found, 20);
}

} // namespace
// SPDX-License-Identifier: MIT
