// halo_test.cpp: halos of hundreds of random meshes against brute force: who owns, executes and reads what, in which
// order, where maps lead, and what an exchange brings.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "distributed/halo/halo_exchange.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "halo_case.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::as_size;
using unit::below;
using unit::byte_of;
using unit::GlobalMap;
using unit::halo_oracle;
using unit::Host;
using unit::Parts;
using unit::Random;
using unit::random_case;
using unit::RandomCase;
using unit::RankMesh;
using unit::run_ranks;
using unit::untouched;

// What a rank has after all; looked at when all are done.
struct Outcome {
  std::vector<Set> sets;
  std::vector<std::vector<int>> tables;
};

// Exchanges of all ranks by what becomes of their messages.
struct Ways {
  std::atomic<int> in_place{0}, scattered{0}, several{0};
};

class HaloCase {
 public:
  HaloCase(unsigned seed, Ways &ways)
      : given_(random_case(seed)),
        wanted_(halo_oracle(given_.mesh, given_.processes, given_.depth)),
        got_(as_size(given_.processes)),
        ways_(ways) {}

  void run() {
    SCOPED_TRACE(given_.name());
    run_ranks(given_.processes, [this](Communicator &ranks, Host &host) { on_rank(ranks, host); });
    if (given_.processes == 1) return;
    for (int rank = 0; rank < given_.processes; ++rank) check_rank(rank);
  }

 private:
  void on_rank(Communicator &ranks, Host &host);
  void look_at_dats(Mesh &mesh, int round) const;
  void exchange(Mesh &mesh, unsigned seed) const;
  void look_at_exchanged(const HaloItem &item, int round) const;
  bool all_in_a_row(const std::vector<HaloItem> &items) const;

  void check_rank(int rank) const;
  void check_set(int rank, std::size_t set) const;
  void check_at_most(int rank, std::size_t set) const;
  void check_part(int rank, std::size_t set, std::size_t layer, bool exec, int first) const;
  void check_map(int rank, std::size_t map) const;
  const Set &set_of(int rank, std::size_t set) const { return got_[as_size(rank)].sets[set]; }

  const RandomCase given_;
  const std::vector<std::vector<Parts>> wanted_;
  std::vector<Outcome> got_;
  Ways &ways_;
};

void HaloCase::on_rank(Communicator &ranks, Host &host) {
  RankMesh rank(ranks, host, Declare::local);
  Mesh &mesh = rank.mesh;
  unit::declare(mesh, given_, ranks.rank());
  distribute(mesh, unit::owners(given_), {.halo_depth = given_.depth});
  look_at_dats(mesh, 0);
  if (given_.processes == 1) { // nothing changes
    for (std::size_t s = 0; s < mesh.sets().size(); ++s) {
      EXPECT_FALSE(mesh.sets()[s]->distributed);
      EXPECT_EQ(mesh.sets()[s]->rows(), given_.mesh.sizes[s]);
      EXPECT_EQ(mesh.sets()[s]->core_size, given_.mesh.sizes[s]);
    }
    for (std::size_t m = 0; m < mesh.maps().size(); ++m)
      EXPECT_TRUE(std::ranges::equal(mesh.maps()[m]->table, given_.mesh.maps[m].targets));
    return;
  }
  for (unsigned i = 0; i < 3; ++i) exchange(mesh, given_.seed + i);
  Outcome &got = got_[as_size(ranks.rank())];
  for (const auto &set : mesh.sets()) {
    Set copy;
    static_cast<op_set_core &>(copy) = *set;
    copy.global = set->global;
    copy.layers = set->layers;
    copy.copies = set->copies;
    copy.at_most = set->at_most;
    copy.distributed = set->distributed;
    copy.original = set->original;
    got.sets.push_back(std::move(copy));
  }
  for (const auto &map : mesh.maps()) {
    EXPECT_EQ(map->map, map->table.data());
    EXPECT_FALSE(map->in_declared_order);
    EXPECT_TRUE(map->targets.empty());
    got.tables.push_back(map->table);
  }
}

// Owned rows have come along.
void HaloCase::look_at_dats(Mesh &mesh, int round) const {
  for (std::size_t d = 0; d < given_.dats.size(); ++d) {
    const Dat &dat = *mesh.dats()[d];
    ASSERT_EQ(dat.size, given_.dats[d].row());
    EXPECT_EQ(dat.data, dat.host.data());
    const auto number = [&](int row) { return mesh.several() ? dat.on().global[as_size(row)] : row; };
    for (int row = 0; row < dat.set->size; ++row)
      for (int at = 0; at < dat.size; ++at)
        ASSERT_EQ(static_cast<unsigned char>(dat.data[row * dat.size + at]), byte_of(d, number(row), at, round))
            << dat.label << ", row " << row;
    EXPECT_TRUE(dat.state.exec_stale() && dat.state.nonexec_stale());
  }
}

// Some dats with some of their copies, twice between the same buffers.
void HaloCase::exchange(Mesh &mesh, unsigned seed) const {
  Random random(seed);
  std::vector<HaloItem> items;
  for (const auto &dat : mesh.dats())
    if (below(random, 3) > 0) items.push_back({dat.get(), below(random, 3) > 0, below(random, 3) > 0});
  std::shuffle(items.begin(), items.end(), random);
  HaloExchange exchange(mesh, items);
  std::size_t bytes = 0;
  std::set<int> neighbours;
  const auto add = [&](const Dat &dat, const HaloList &list) {
    bytes += list.row.size() * as_size(dat.size);
    neighbours.insert(list.ranks.begin(), list.ranks.end());
  };
  for (const HaloItem &item : items) {
    const HaloLayer &layer = item.dat->on().layers.front();
    if (item.exec) add(*item.dat, layer.exec.exported);
    if (item.nonexec) add(*item.dat, layer.nonexec.exported);
  }
  EXPECT_EQ(exchange.bytes(), bytes);
  EXPECT_EQ(exchange.messages(), static_cast<int>(neighbours.size()));
  EXPECT_EQ(exchange.received_in_place(), all_in_a_row(items));
  ++(exchange.received_in_place() ? ways_.in_place : items.size() == 1 ? ways_.scattered : ways_.several);
  for (const int round : {1, 2}) {
    for (const HaloItem &item : items) unit::fill(mesh, *item.dat, round);
    exchange.start();
    exchange.progress();
    exchange.finish();
    for (const HaloItem &item : items) look_at_exchanged(item, round);
  }
}

// Whether all that comes are rows of one dat, each behind the one before when messages lie in the order of ranks.
bool HaloCase::all_in_a_row(const std::vector<HaloItem> &items) const {
  if (items.size() != 1) return false;
  const HaloItem &item = items.front();
  const HaloLayer &layer = item.dat->on().layers.front();
  std::vector<int> rows;
  for (int owner = 0; owner < given_.processes; ++owner)
    for (const HaloRange *range : {&layer.exec.imported, &layer.nonexec.imported}) {
      if (!(range == &layer.exec.imported ? item.exec : item.nonexec)) continue;
      for (std::size_t n = 0; n < range->ranks.size(); ++n)
        for (int i = range->offset[n]; range->ranks[n] == owner && i < range->offset[n + 1]; ++i)
          rows.push_back(range->first + i);
    }
  const auto gap = [](int row, int next) { return next != row + 1; };
  return std::ranges::adjacent_find(rows, gap) == rows.end() && !rows.empty();
}

void HaloCase::look_at_exchanged(const HaloItem &item, int round) const {
  const Dat &dat = *item.dat;
  const Set &set = dat.on();
  const int exec_end = set.executed(), read_end = exec_end + set.nonexec_size;
  for (int row = 0; row < set.rows(); ++row) {
    const bool wanted = row < set.size || (row < exec_end ? item.exec : row < read_end && item.nonexec);
    for (int at = 0; at < dat.size; ++at)
      ASSERT_EQ(static_cast<unsigned char>(dat.data[row * dat.size + at]),
                wanted ? byte_of(as_size(dat.index), set.global[as_size(row)], at, round) : untouched)
          << dat.label << ", row " << row << " of " << set.size << " owned, " << exec_end << " executed";
  }
  EXPECT_EQ(dat.state.exec_stale(), !item.exec);
  EXPECT_EQ(dat.state.nonexec_stale(), !item.nonexec);
}

void HaloCase::check_rank(int rank) const {
  SCOPED_TRACE(text("rank ", rank));
  ASSERT_EQ(got_[as_size(rank)].sets.size(), given_.mesh.sizes.size());
  for (std::size_t s = 0; s < given_.mesh.sizes.size(); ++s) check_set(rank, s);
  for (std::size_t m = 0; m < given_.mesh.maps.size(); ++m) check_map(rank, m);
}

void HaloCase::check_set(int rank, std::size_t s) const {
  SCOPED_TRACE(text("set ", s));
  const Set &set = set_of(rank, s);
  const Parts &parts = wanted_[as_size(rank)][s];
  EXPECT_TRUE(set.distributed);
  ASSERT_EQ(set.core_size, static_cast<int>(parts.core.size()));
  ASSERT_EQ(set.size, static_cast<int>(parts.core.size() + parts.boundary.size()));
  EXPECT_EQ(set.exec_size, static_cast<int>(parts.layers[0].exec.size()));
  EXPECT_EQ(set.nonexec_size, static_cast<int>(parts.layers[0].read.size()));
  ASSERT_EQ(set.global.size(), as_size(set.rows()));
  EXPECT_TRUE(std::ranges::equal(set.original, set.global));
  // Owned elements come in the order of their numbers, core and boundary each.
  const auto core_end = set.global.begin() + set.core_size, own_end = set.global.begin() + set.size;
  EXPECT_TRUE(std::equal(set.global.begin(), core_end, parts.core.begin(), parts.core.end()));
  EXPECT_TRUE(std::equal(core_end, own_end, parts.boundary.begin(), parts.boundary.end()));
  ASSERT_EQ(set.layers.size(), as_size(given_.depth));
  int first = set.size;
  for (std::size_t layer = 0; layer < set.layers.size(); ++layer)
    for (const bool exec : {true, false}) {
      check_part(rank, s, layer, exec, first);
      const HaloLayer &got = set.layers[layer];
      first += (exec ? got.exec : got.nonexec).imported.size();
    }
  EXPECT_EQ(first, set.rows());
  check_at_most(rank, s);
}

// What was expected before copies were made. With one layer: elements that are executed for others, what owned ones
// lead to, and a row for each entry of the executed ones; never more than others have, and that is all that is known of
// more layers.
void HaloCase::check_at_most(int rank, std::size_t s) const {
  const Set &set = set_of(rank, s);
  const long long others = given_.mesh.sizes[s] - set.size;
  const auto executed = [&](std::size_t of) {
    return static_cast<long long>(wanted_[as_size(rank)][of].layers[0].exec.size());
  };
  long long entries = 0;
  std::set<long long> foreign;
  for (const GlobalMap &map : given_.mesh.maps) {
    if (map.to != static_cast<int>(s)) continue;
    entries += executed(as_size(map.from)) * map.dim;
    for (std::size_t i = 0; i < map.targets.size(); ++i)
      if (given_.mesh.owner[as_size(map.from)][i / as_size(map.dim)] == rank &&
          given_.mesh.owner[s][as_size(map.targets[i])] != rank)
        foreign.insert(map.targets[i]);
  }
  const long long most = executed(s) + static_cast<long long>(foreign.size()) + entries;
  EXPECT_EQ(set.at_most.copies, given_.depth > 1 ? others : std::min(most, others));
  EXPECT_EQ(set.at_most.executed, given_.depth > 1 ? others : executed(s));
  EXPECT_LE(set.copies, set.at_most.copies);
  EXPECT_LE(set.exec_size, set.at_most.executed);
}

// The copies of one layer: the right ones, sorted by owner, and in the order in which owners list them.
void HaloCase::check_part(int rank, std::size_t s, std::size_t layer, bool exec, int first) const {
  SCOPED_TRACE(text("layer ", layer + 1, exec ? ", executed" : ", read"));
  const Set &set = set_of(rank, s);
  const auto part_of_rank = [&](int r) -> const HaloPart & {
    const HaloLayer &got = set_of(r, s).layers[layer];
    return exec ? got.exec : got.nonexec;
  };
  const HaloRange &range = part_of_rank(rank).imported;
  const Parts::Layer &parts = wanted_[as_size(rank)][s].layers[layer];
  ASSERT_EQ(range.first, first);
  ASSERT_EQ(range.offset.size(), range.ranks.size() + 1);
  const auto begin = set.global.begin() + first;
  EXPECT_EQ(std::set<long long>(begin, begin + range.size()), exec ? parts.exec : parts.read);
  EXPECT_EQ(as_size(range.size()), (exec ? parts.exec : parts.read).size());
  std::size_t listed = 0; // by owners
  for (int owner = 0; owner < given_.processes; ++owner) {
    const HaloList &list = part_of_rank(owner).exported;
    ASSERT_EQ(list.offset.size(), list.ranks.size() + 1);
    EXPECT_TRUE(std::is_sorted(list.ranks.begin(), list.ranks.end()));
    const auto to = std::find(list.ranks.begin(), list.ranks.end(), rank);
    if (to == list.ranks.end()) continue;
    ASSERT_NE(owner, rank);
    ASSERT_LT(listed, range.ranks.size());
    EXPECT_EQ(range.ranks[listed], owner);
    const std::size_t at = as_size(to - list.ranks.begin());
    const std::vector<int> rows(list.row.begin() + list.offset[at], list.row.begin() + list.offset[at + 1]);
    EXPECT_FALSE(rows.empty());
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    ASSERT_EQ(static_cast<int>(rows.size()), range.offset[listed + 1] - range.offset[listed]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_LT(rows[i], set_of(owner, s).size);
      ASSERT_EQ(set_of(owner, s).global[as_size(rows[i])], begin[range.offset[listed] + static_cast<int>(i)]);
    }
    ++listed;
  }
  EXPECT_EQ(listed, range.ranks.size());
}

// Entries of owned and executed elements lead to rows with the right numbers.
void HaloCase::check_map(int rank, std::size_t m) const {
  SCOPED_TRACE(text("map ", m));
  const GlobalMap &map = given_.mesh.maps[m];
  const Set &from = set_of(rank, as_size(map.from)), &to = set_of(rank, as_size(map.to));
  const std::vector<int> &table = got_[as_size(rank)].tables[m];
  std::vector<int> rows(as_size(from.size));
  std::iota(rows.begin(), rows.end(), 0);
  for (const HaloLayer &layer : from.layers) {
    const int read = &layer == &from.layers.back() ? 0 : layer.nonexec.imported.size(); // executed in later layers
    for (int i = 0; i < layer.exec.imported.size() + read; ++i) rows.push_back(layer.exec.imported.first + i);
  }
  for (const int row : rows)
    for (int column = 0; column < map.dim; ++column) {
      ASSERT_LT(as_size(row * map.dim + column), table.size());
      const int entry = table[as_size(row * map.dim + column)];
      ASSERT_GE(entry, 0);
      ASSERT_LT(entry, to.rows());
      ASSERT_EQ(to.global[as_size(entry)], map.targets[as_size(from.global[as_size(row)] * map.dim + column)])
          << "row " << row << ", column " << column;
    }
}

// The cases above are worth something only as long as each of these is among them.
TEST(HaloCases, have_all_that_may_go_wrong) {
  std::map<std::string, int> seen;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const RandomCase made = random_case(seed);
    const auto parts = halo_oracle(made.mesh, made.processes, made.depth);
    ++seen[text(made.processes, " ranks")];
    if (!made.choose) ++seen["rows that stay where they were declared"];
    for (const GlobalMap &map : made.mesh.maps) {
      ++seen[text("dim ", map.dim)];
      if (map.from == map.to && !map.targets.empty()) ++seen["a set that leads to itself"];
    }
    for (const auto &sets : parts)
      for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto leads_there = [&](const GlobalMap &map) { return map.to == static_cast<int>(s); };
        if (std::ranges::none_of(made.mesh.maps, leads_there)) ++seen["a set that no map leads to"];
        if (made.mesh.sizes[s] == 0) ++seen["an empty set"];
        if (made.mesh.sizes[s] > 0 && sets[s].core.empty() && sets[s].boundary.empty()) ++seen["a rank without any"];
        if (!sets[s].core.empty() && !sets[s].boundary.empty()) ++seen["core and boundary"];
        for (std::size_t layer = 0; layer < sets[s].layers.size(); ++layer) {
          if (!sets[s].layers[layer].exec.empty()) ++seen[text("executed in layer ", layer + 1)];
          if (!sets[s].layers[layer].read.empty()) ++seen[text("read in layer ", layer + 1)];
        }
      }
  }
  std::vector<std::string> wanted = {"rows that stay where they were declared",
                                     "a set that leads to itself",
                                     "a set that no map leads to",
                                     "an empty set",
                                     "a rank without any",
                                     "core and boundary"};
  for (int n = 1; n <= 7; ++n) wanted.push_back(text(n, " ranks"));
  for (int n = 1; n <= 8; ++n) wanted.push_back(text("dim ", n));
  for (int n = 1; n <= 3; ++n) wanted.insert(wanted.end(), {text("executed in layer ", n), text("read in layer ", n)});
  for (const std::string &what : wanted) EXPECT_GE(seen[what], 10) << what;
}

class Halos : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(FromSeed, Halos, testing::Values(0, 100, 200, 300), testing::PrintToStringParamName());

TEST_P(Halos, of_random_meshes) {
  Ways ways;
  for (int i = 0; i < 50 && !HasFailure(); ++i) HaloCase(static_cast<unsigned>(GetParam() + i), ways).run();
  for (const std::atomic<int> *way : {&ways.in_place, &ways.scattered, &ways.several}) EXPECT_GE(*way, 10);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
