// layers_test.cpp: random loops on random meshes: with the levels that plan_layers() finds, which rows of which process
// are right after one exchange, element by element, on halos that are known by brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "halo_case.hpp"
#include "loop/layers/layers.hpp"

namespace op2::core {
namespace {

using unit::as_size;
using unit::below;
using unit::GlobalMap;
using unit::GlobalMesh;
using unit::halo_oracle;
using unit::Parts;
using unit::Random;
using unit::random_case;
using unit::RandomCase;

using Rows = std::set<long long>;

struct ModelArg {
  int dat, map; // map -1: direct
  op_access access;
};
struct ModelLoop {
  int set;
  std::vector<ModelArg> args;
};
struct Model {
  RandomCase given;
  std::vector<int> set_of_dat;
  std::vector<ModelLoop> loops;
};

// Each dat in one way, perhaps through two maps.
ModelLoop random_loop(Random &random, const Model &model) {
  const GlobalMesh &mesh = model.given.mesh;
  ModelLoop out{below(random, static_cast<int>(mesh.sizes.size())), {}};
  for (int dat = 0; dat < static_cast<int>(model.set_of_dat.size()); ++dat) {
    if (below(random, 2) == 0) continue;
    std::vector<int> ways;
    if (model.set_of_dat[as_size(dat)] == out.set) ways.push_back(-1);
    for (std::size_t m = 0; m < mesh.maps.size(); ++m)
      if (mesh.maps[m].from == out.set && mesh.maps[m].to == model.set_of_dat[as_size(dat)])
        ways.push_back(static_cast<int>(m));
    if (ways.empty()) continue;
    const op_access all[] = {OP_READ, OP_INC, OP_WRITE, OP_RW};
    const int first = ways[as_size(below(random, static_cast<int>(ways.size())))];
    const op_access access = all[below(random, first < 0 ? 4 : 3)];
    out.args.push_back({dat, first, access});
    const int second = ways[as_size(below(random, static_cast<int>(ways.size())))];
    if (second != first && (access == OP_READ || access == OP_INC)) out.args.push_back({dat, second, access});
  }
  return out;
}

Model random_model(unsigned seed) {
  Random random(seed + 77777);
  Model out;
  out.given = random_case(seed);
  for (int dats = 1 + below(random, 5); dats > 0; --dats)
    out.set_of_dat.push_back(below(random, static_cast<int>(out.given.mesh.sizes.size())));
  for (int loops = 2 + below(random, 10); loops > 0; --loops) out.loops.push_back(random_loop(random, out));
  return out;
}

std::vector<LayerLoop> accesses(const Model &model) {
  std::vector<LayerLoop> out;
  for (const ModelLoop &loop : model.loops) {
    LayerLoop one;
    for (const ModelArg &arg : loop.args) {
      one.args.push_back({arg.dat, arg.map >= 0, arg.access});
      one.indirect = one.indirect || arg.map >= 0;
      if (arg.map < 0 && arg.access == OP_WRITE) one.rewritten.push_back(arg.dat);
    }
    out.push_back(std::move(one));
  }
  return out;
}

// One process, on which a row of a dat is right or not.
class Process {
 public:
  Process(const Model &model, const std::vector<Parts> &parts) : model_(model), parts_(parts) {}

  Rows rows(int set, int level) const {
    const Parts &parts = parts_[as_size(set)];
    Rows out = parts.core;
    out.insert(parts.boundary.begin(), parts.boundary.end());
    for (int k = 1; k <= layer_of(level); ++k) {
      const Parts::Layer &layer = parts.layers[as_size(k - 1)];
      out.insert(layer.exec.begin(), layer.exec.end());
      if (level >= 2 * k) out.insert(layer.read.begin(), layer.read.end());
    }
    return out;
  }

  void run(const LayerPlan &plan) {
    for (std::size_t d = 0; d < model_.set_of_dat.size(); ++d) {
      const auto brought = std::ranges::find(plan.brought, static_cast<int>(d), &DatLevel::dat);
      right_.push_back(rows(model_.set_of_dat[d], brought == plan.brought.end() ? 0 : brought->level));
    }
    for (std::size_t l = 0; l < model_.loops.size(); ++l) {
      SCOPED_TRACE(text("loop ", l));
      run(model_.loops[l], rows(model_.loops[l].set, plan.executed[l]), std::max(plan.depth, 1));
    }
    for (std::size_t d = 0; d < right_.size(); ++d) {
      const auto left = std::ranges::find(plan.left, static_cast<int>(d), &DatLevel::dat);
      for (const long long row : rows(model_.set_of_dat[d], left == plan.left.end() ? 0 : left->level))
        EXPECT_TRUE(right_[d].count(row)) << "dat " << d << ", row " << row;
    }
  }

 private:
  const GlobalMap &map(int number) const { return model_.given.mesh.maps[as_size(number)]; }

  // All that an element reads is right, and it can be executed at all.
  bool good(const ModelLoop &loop, long long element, int depth) const {
    bool out = true;
    for (const ModelArg &arg : loop.args) {
      const Rows &right = right_[as_size(arg.dat)];
      const bool reads = arg.access == OP_READ || arg.access == OP_RW;
      if (arg.map < 0) {
        out = out && (!reads || right.count(element));
        continue;
      }
      EXPECT_FALSE(parts_[as_size(loop.set)].layers[as_size(depth - 1)].read.count(element)) << "has no row of maps";
      for (int c = 0; c < map(arg.map).dim; ++c)
        out = out && (!reads || right.count(map(arg.map).targets[as_size(element * map(arg.map).dim + c)]));
    }
    return out;
  }

  void run(const ModelLoop &loop, const Rows &executed, int depth) {
    Rows good_ones;
    for (const long long element : executed)
      if (good(loop, element, depth)) good_ones.insert(element);
    std::map<int, Rows> after;
    for (const ModelArg &arg : loop.args) {
      if (arg.access == OP_READ) continue;
      const auto found = after.try_emplace(arg.dat, right_[as_size(arg.dat)]).first;
      Rows &now = found->second;
      if (arg.map < 0) {
        if (arg.access == OP_WRITE)
          now = good_ones;
        else
          std::erase_if(now, [&](long long row) { return !good_ones.count(row); });
        continue;
      }
      // A row wants all elements of all processes that lead to it.
      for (std::size_t i = 0; i < map(arg.map).targets.size(); ++i)
        if (!good_ones.count(static_cast<long long>(i) / map(arg.map).dim)) now.erase(map(arg.map).targets[i]);
    }
    for (auto &[dat, rows] : after) right_[as_size(dat)] = std::move(rows);
  }

  const Model &model_;
  const std::vector<Parts> &parts_;
  std::vector<Rows> right_; // of each dat
};

TEST(Layers, one_exchange_is_enough_for_random_loops) {
  int deep = 0, kept = 0;
  for (unsigned seed = 0; seed < 600 && !testing::Test::HasFailure(); ++seed) {
    const Model model = random_model(seed);
    SCOPED_TRACE(model.given.name());
    const LayerPlan plan = plan_layers(accesses(model));
    const int depth = std::max(plan.depth, 1);
    deep += plan.depth > 2;
    kept += std::ranges::any_of(plan.left, [](const DatLevel &dat) { return dat.level > 1; });
    const auto halos = halo_oracle(model.given.mesh, model.given.processes, depth);
    for (int rank = 0; rank < model.given.processes; ++rank) Process(model, halos[as_size(rank)]).run(plan);
  }
  EXPECT_GE(deep, 50);
  EXPECT_GE(kept, 20);
}

// Two steps of airfoil: q and adt through edge to cell, nodes through cell and edge.
TEST(Layers, of_airfoil) {
  enum { x, q, qold, adt, res };
  const LayerLoop save{{{q, false, OP_READ}, {qold, false, OP_WRITE}}, false, {qold}},
      adt_calc{{{x, true, OP_READ}, {q, false, OP_READ}, {adt, false, OP_WRITE}}, true, {adt}},
      res_calc{{{x, true, OP_READ}, {q, true, OP_READ}, {adt, true, OP_READ}, {res, true, OP_INC}}, true, {}},
      update{{{qold, false, OP_READ}, {q, false, OP_WRITE}, {res, false, OP_RW}, {adt, false, OP_READ}}, false, {q}};
  const LayerPlan plan =
      plan_layers(std::vector<LayerLoop>{save, adt_calc, res_calc, update, adt_calc, res_calc, update});
  EXPECT_EQ((std::vector<int>{2, 4, 3, 2, 2, 1, 0}), plan.executed);
  EXPECT_EQ(3, plan.depth);
  const auto level = [](const std::vector<DatLevel> &of, int dat) {
    const auto found = std::ranges::find(of, dat, &DatLevel::dat);
    return found == of.end() ? -1 : found->level;
  };
  EXPECT_EQ(4, level(plan.brought, q));
  EXPECT_EQ(6, level(plan.brought, x));
  EXPECT_EQ(2, level(plan.brought, res)) << "it is added to, and then read";
  EXPECT_EQ(-1, level(plan.brought, qold));
  EXPECT_EQ(-1, level(plan.brought, adt));
  EXPECT_EQ(0, level(plan.left, q));
  EXPECT_EQ(2, level(plan.left, qold));
  EXPECT_EQ(-1, level(plan.left, x)) << "nobody changes it";
}

TEST(Layers, do_without_what_reads_rows_that_the_loop_changes) {
  EXPECT_FALSE(fits_in_layers({{{0, true, OP_RW}}, true, {}}));
  EXPECT_TRUE(fits_in_layers({{{0, false, OP_RW}, {1, true, OP_INC}}, true, {}}));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
