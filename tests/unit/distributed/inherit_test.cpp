// inherit_test.cpp: who gets the elements of sets that follow the division of another one: all votes counted by brute
// force on random meshes, and the size of the halos that come of it on a grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "distributed/partition/inherit.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "halo_oracle.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::GlobalMap;
using unit::GlobalMesh;
using unit::Host;
using unit::RankMesh;
using unit::run_ranks;

using Random = std::mt19937_64;
int below(Random &random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
std::size_t place(long long n) { return static_cast<std::size_t>(n); }

constexpr int nobody = -1;

// One vote for each entry of a map. Of those with most votes, in the order of processes, elements take one in turn.
class Votes {
 public:
  explicit Votes(int elements) : votes_(place(elements)) {}
  void cast(long long element, int process) { ++votes_[place(element)][process]; }
  [[nodiscard]] int winner(long long element) const {
    const std::map<int, int> &of = votes_[place(element)];
    int most = 0;
    for (const auto &[process, votes] : of) most = std::max(most, votes);
    std::vector<int> best;
    for (const auto &[process, votes] : of)
      if (votes == most) best.push_back(process);
    return best.empty() ? nobody : best[place(element) % best.size()];
  }

 private:
  std::vector<std::map<int, int>> votes_;
};

struct Case {
  int processes = 1;
  GlobalMesh mesh;                        // owner[primary] is given, the others are empty
  std::size_t primary = 0;                // the set that was divided
  std::vector<std::vector<int>> declared; // [set][process + 1]: the first element that each process declares

  [[nodiscard]] int declarer_of(std::size_t set, long long element) const {
    const auto after = std::upper_bound(declared[set].begin(), declared[set].end(), static_cast<int>(element));
    return static_cast<int>(after - declared[set].begin()) - 1;
  }
};

// The owners of all sets by the words of inherit.hpp, one set after another.
std::vector<std::vector<int>> inherited(const Case &given) {
  const GlobalMesh &mesh = given.mesh;
  std::vector<std::vector<int>> owner = mesh.owner;
  std::set<std::size_t> done = {given.primary};
  const auto knows = [&](int set) { return done.count(place(set)) > 0; };
  const auto each_vote = [&](const GlobalMap &map, const auto &cast) {
    for (std::size_t i = 0; i < map.targets.size(); ++i) cast(static_cast<long long>(i) / map.dim, map.targets[i]);
  };
  for (;;) {
    // Towards a set with owners: with one target, with several. Else from one.
    const GlobalMap *best = nullptr;
    int best_cost = 3;
    for (const GlobalMap &map : mesh.maps) {
      if (knows(map.from) == knows(map.to)) continue;
      const int cost = knows(map.from) ? 2 : map.dim > 1 ? 1 : 0;
      if (cost < best_cost) {
        best = &map;
        best_cost = cost;
      }
    }
    if (!best) break;
    const bool forward = knows(best->to);
    const std::size_t set = place(forward ? best->from : best->to);
    std::vector<int> &out = owner[set];
    out.assign(place(mesh.sizes[set]), nobody);
    const auto ask = [&](const GlobalMap &map) {
      Votes votes(mesh.sizes[set]);
      each_vote(map, [&](long long element, long long target) {
        if (forward)
          votes.cast(element, owner[place(map.to)][place(target)]);
        else
          votes.cast(target, owner[place(map.from)][place(element)]);
      });
      for (std::size_t n = 0; n < out.size(); ++n)
        if (out[n] == nobody) out[n] = votes.winner(static_cast<long long>(n));
    };
    ask(*best);
    for (const GlobalMap &map : mesh.maps) // those that the first map leaves out
      if (!forward && &map != best && map.to == best->to && knows(map.from)) ask(map);
    for (std::size_t n = 0; n < out.size(); ++n)
      if (out[n] == nobody) out[n] = given.declarer_of(set, static_cast<long long>(n));
    done.insert(set);
  }
  for (std::size_t set = 0; set < owner.size(); ++set) {
    if (done.count(set)) continue;
    const int piece = (mesh.sizes[set] + given.processes - 1) / given.processes;
    for (int n = 0; n < mesh.sizes[set]; ++n) owner[set].push_back(n / piece);
  }
  return owner;
}

// The sizes of one set's parts on each process.
struct Parts {
  std::vector<int> owned, copies;
};

// What the library makes of it. owner: filled by all ranks together.
class Library {
 public:
  explicit Library(const Case &given) : given_(given), owner(given.mesh.sizes.size()), parts(given.mesh.sizes.size()) {
    for (std::size_t s = 0; s < owner.size(); ++s) owner[s].assign(place(given.mesh.sizes[s]), nobody);
    for (Parts &each : parts) each.owned = each.copies = std::vector<int>(place(given.processes));
    run_ranks(given.processes, [this](Communicator &ranks, Host &host) { on_rank(ranks, host); });
  }

 private:
  void on_rank(Communicator &ranks, Host &host) {
    RankMesh rank(ranks, host, Declare::local);
    Mesh &mesh = rank.mesh;
    declare(mesh, ranks.rank());
    distribute(mesh, [&](Mesh &all) { return choose(all, ranks.size()); });
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const Set &set = *mesh.sets()[s];
      parts[s].owned[place(ranks.rank())] = set.size;
      parts[s].copies[place(ranks.rank())] = set.exec_size + set.nonexec_size;
    }
  }
  void declare(Mesh &mesh, int rank) const {
    const auto declared_bound = [&](int set, int side) { return given_.declared[place(set)][place(rank + side)]; };
    for (std::size_t s = 0; s < given_.mesh.sizes.size(); ++s)
      mesh.declare().set(declared_bound(static_cast<int>(s), 1) - declared_bound(static_cast<int>(s), 0),
                         text("set", s).c_str());
    for (std::size_t m = 0; m < given_.mesh.maps.size(); ++m) {
      const GlobalMap &map = given_.mesh.maps[m];
      const std::vector<op_gindex> entries(map.targets.begin() + declared_bound(map.from, 0) * map.dim,
                                           map.targets.begin() + declared_bound(map.from, 1) * map.dim);
      mesh.declare().map(mesh.sets()[place(map.from)].get(), mesh.sets()[place(map.to)].get(), map.dim, entries.data(),
                         text("map", m).c_str());
    }
  }
  std::vector<std::vector<int>> choose(Mesh &all, int processes) {
    std::vector<std::vector<int>> mine(all.sets().size());
    std::vector<bool> done(mine.size(), false);
    for (const op_gindex element : all.sets()[given_.primary]->global)
      mine[given_.primary].push_back(given_.mesh.owner[given_.primary][place(element)]);
    done[given_.primary] = true;
    inherit_owners(all, mine, done, PartShares(processes));
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t s = 0; s < mine.size(); ++s) {
      const std::vector<op_gindex> &numbers = all.sets()[s]->global;
      EXPECT_EQ(mine[s].size(), numbers.size());
      for (std::size_t row = 0; row < mine[s].size(); ++row) owner[s][place(numbers[row])] = mine[s][row];
    }
    return mine;
  }
  const Case &given_;
  std::mutex mutex_;

 public:
  std::vector<std::vector<int>> owner; // [set][element]
  std::vector<Parts> parts;            // [set]
};

Case random_case(unsigned seed) {
  Random random(seed);
  Case out;
  out.processes = 2 + below(random, 5);
  const int sets = 2 + below(random, 4);
  for (int s = 0; s < sets; ++s) out.mesh.sizes.push_back(1 + below(random, 60));
  for (int maps = 1 + below(random, 6); maps > 0; --maps) {
    GlobalMap map{below(random, sets), below(random, sets), 1 + below(random, 4), {}};
    const int to = out.mesh.sizes[place(map.to)];
    const bool near = below(random, 2) == 0; // else anywhere, so that many elements are led to by nobody or by several
    for (int i = 0; i < out.mesh.sizes[place(map.from)] * map.dim; ++i)
      map.targets.push_back(near ? (i / map.dim + i % map.dim) % to : below(random, to));
    out.mesh.maps.push_back(map);
  }
  out.primary = place(below(random, sets));
  out.mesh.owner.resize(place(sets));
  for (int i = 0; i < out.mesh.sizes[out.primary]; ++i)
    out.mesh.owner[out.primary].push_back(below(random, out.processes));
  for (const int size : out.mesh.sizes) {
    std::vector<int> bounds = {0, size};
    for (int r = 1; r < out.processes; ++r) bounds.push_back(below(random, size + 1));
    std::sort(bounds.begin(), bounds.end());
    out.declared.push_back(bounds);
  }
  return out;
}

TEST(Inheritance, ElementsGoWhereMostVotesAre) {
  int inherited_sets = 0, shared = 0; // what the random meshes must have in them
  for (unsigned seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(text("seed ", seed));
    const Case given = random_case(seed);
    const std::vector<std::vector<int>> expected = inherited(given);
    const Library library(given);
    for (std::size_t s = 0; s < expected.size(); ++s) EXPECT_EQ(library.owner[s], expected[s]) << "set " << s;
    for (std::size_t s = 0; s < expected.size(); ++s)
      for (int r = 0; r < given.processes; ++r)
        EXPECT_EQ(library.parts[s].owned[place(r)], std::count(expected[s].begin(), expected[s].end(), r));
    inherited_sets += static_cast<int>(expected.size()) - 1;
    for (const GlobalMap &map : given.mesh.maps) shared += map.dim > 1 && place(map.to) == given.primary ? 1 : 0;
  }
  EXPECT_GT(inherited_sets, 150);
  EXPECT_GT(shared, 30);
}

// Two targets on two processes: neither of them gets all such elements.
TEST(Inheritance, TiesAreSharedOutByTheNumberOfTheElement) {
  Case given;
  given.processes = 3;
  given.mesh = {{6, 3}, {{0, 1, 2, {2, 0, 2, 0, 0, 2, 1, 2, 2, 1, 1, 1}}}, {{}, {0, 1, 2}}};
  given.primary = 1;
  given.declared = {{0, 2, 4, 6}, {0, 3, 3, 3}};
  const Library library(given);
  EXPECT_EQ(library.owner[0], (std::vector<int>{0, 2, 0, 2, 1, 1}));
}

// A grid of squares in vertical strips: edges follow the cells, nodes the edges. What a strip keeps of others is one
// column on each side: cells; edges between the strips and those that end where they meet; nodes of these.
TEST(Inheritance, HalosAreOneColumnWide) {
  constexpr int width = 24, height = 9;
  for (const int processes : {2, 3, 4, 6}) {
    SCOPED_TRACE(processes);
    Case given;
    given.processes = processes;
    GlobalMap edge_cells{1, 0, 2, {}}, edge_nodes{1, 2, 2, {}};
    const auto cell = [](int i, int j) { return i + width * j; };
    const auto node = [](int i, int j) { return i + (width + 1) * j; };
    const auto edge = [&](int a, int b, int left, int right) {
      edge_nodes.targets.insert(edge_nodes.targets.end(), {a, b});
      edge_cells.targets.insert(edge_cells.targets.end(), {left, right});
    };
    std::vector<int> strip;
    for (int j = 0; j < height; ++j)
      for (int i = 0; i < width; ++i) {
        strip.push_back(i * processes / width);
        if (i > 0) edge(node(i, j), node(i, j + 1), cell(i - 1, j), cell(i, j));
        if (j > 0) edge(node(i, j), node(i + 1, j), cell(i, j - 1), cell(i, j));
      }
    const int edges = static_cast<int>(edge_cells.targets.size()) / 2;
    given.mesh = {{width * height, edges, (width + 1) * (height + 1)}, {edge_cells, edge_nodes}, {strip, {}, {}}};
    for (const int size : given.mesh.sizes) {
      given.declared.emplace_back();
      for (int r = 0; r <= processes; ++r) given.declared.back().push_back(size * r / processes);
    }
    const Library library(given);
    EXPECT_EQ(library.owner, inherited(given));
    for (int r = 0; r < processes; ++r) {
      const int sides = (r > 0 ? 1 : 0) + (r + 1 < processes ? 1 : 0);
      const auto copies = [&](std::size_t set) { return library.parts[set].copies[place(r)]; };
      EXPECT_LE(copies(0), sides * height) << "cells on " << r;
      EXPECT_LE(copies(1), sides * (2 * height - 1)) << "edges on " << r;
      EXPECT_LE(copies(2), sides * 2 * (height + 1)) << "nodes on " << r;
      EXPECT_GE(copies(0), sides * height) << "cells are on both sides of the edges between two strips";
      const auto part = [&](std::size_t set, int n) { return library.parts[set].owned[place(n)]; };
      // Half of what lies between two strips, and no more, may be on one of them.
      EXPECT_NEAR(part(1, r), edges / static_cast<double>(processes), height + 1) << "edges on " << r;
    }
  }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
