// partial_halo_test.cpp: exchanges of what one map reaches, on random meshes against brute force: when they pay, which
// rows they bring, how many bytes they take and save, and which loops make them.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "distributed/halo/halo_exchange.hpp"
#include "distributed/halo/partial_halo.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "halo_case.hpp"
#include "loop/loop_exchange.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::as_size;
using unit::below;
using unit::byte_of;
using unit::fill;
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

using Elements = std::set<long long>;

// What one map reaches of what others own, on each rank.
struct Reach {
  std::vector<Elements> wanted; // [rank]
  long long entries = 0;        // that lead there, each counted
  long long copies = 0;         // of the set it leads to, reached or not
  bool pays(int percent) const { return percent > 0 && 100 * entries < percent * copies; }
};

// Counts on which all ranks agree: what the cases were about.
using Seen = std::map<std::string, int>;

class PartialCase {
 public:
  PartialCase(const RandomCase &given, Seen &seen)
      : given_(given), parts_(halo_oracle(given_.mesh, given_.processes, given_.depth)), seen_(seen) {
    for (const GlobalMap &map : given_.mesh.maps) reach_.push_back(reach_of(map));
    ++seen_[text(given_.processes, " ranks")];
  }

  // Two divisions: nothing of the first one may be left in the second.
  void run() {
    SCOPED_TRACE(given_.name());
    const PartialCase again(with_other_owners(given_), seen_);
    run_ranks(given_.processes, [&](Communicator &ranks, Host &host) {
      RankMesh rank(ranks, host, Declare::local);
      unit::declare(rank.mesh, given_, ranks.rank());
      distribute(rank.mesh, unit::owners(given_), {.halo_depth = given_.depth});
      check(rank.mesh);
      distribute(rank.mesh, unit::owners(again.given_), {.halo_depth = given_.depth});
      again.check(rank.mesh);
    });
  }

 private:
  // The copies of one dat as the rules say they are.
  struct Model {
    bool exec_stale = true, nonexec_stale = true;
    std::set<int> fresh_by; // maps
    int round = 0;          // of the values that owners have
  };
  // What a run of a loop must do about one dat.
  struct Request {
    bool exec = false, nonexec = false, partial = false;
    const Map *map = nullptr;
    bool any() const { return exec || nonexec || partial; }
  };
  using Args = std::vector<LoopArg>;

  static RandomCase with_other_owners(RandomCase given);
  Reach reach_of(const GlobalMap &map) const;
  // Rows of one rank that these elements of the others are.
  static std::vector<Elements> of_owner(const RandomCase &given, int rank, int set,
                                        const std::vector<Elements> &wanted);
  std::vector<Elements> sent_by(int rank, const Dat &dat, const Request &request) const;
  std::size_t bytes_by(int rank, const Dat &dat, const Request &request) const;

  void check(Mesh &mesh) const {
    for (const auto &map : mesh.maps()) check_threshold(mesh, *map);
    for (const auto &map : mesh.maps()) check_exchange(mesh, *map);
    check_loops(mesh);
  }
  void check_threshold(Mesh &mesh, const Map &map) const;
  void check_exchange(Mesh &mesh, const Map &map) const;
  void check_rows(Mesh &mesh, const HaloItem &item, int round) const;

  Args random_loop(Mesh &mesh, Random &random) const;
  static bool executes_copies(const Args &args);
  Request request_for(const Args &args, const Dat &dat, const Model &model, int percent, bool tell) const;
  void check_loops(Mesh &mesh) const;
  void check_run(Mesh &mesh, LoopExchange &exchange, StatsTable &table, const Args &args, std::vector<Model> &models,
                 int percent) const;
  static void check_seen_rows(const Args &args, const std::vector<Model> &models);
  void saw(const Mesh &mesh, const std::string &what) const {
    if (mesh.communicator().rank() == 0) ++seen_[what];
  }

  const RandomCase given_;
  const std::vector<std::vector<Parts>> parts_;
  std::vector<Reach> reach_;
  Seen &seen_;
};

RandomCase PartialCase::with_other_owners(RandomCase given) {
  Random random(given.seed + 1);
  given.choose = true;
  for (std::vector<int> &owner : given.mesh.owner)
    for (int &rank : owner) rank = below(random, given.processes);
  return given;
}

Reach PartialCase::reach_of(const GlobalMap &map) const {
  Reach out;
  for (int rank = 0; rank < given_.processes; ++rank) {
    const Parts &from = parts_[as_size(rank)][as_size(map.from)];
    const Parts::Layer &copies = parts_[as_size(rank)][as_size(map.to)].layers[0];
    out.copies += static_cast<long long>(copies.exec.size() + copies.read.size());
    out.wanted.emplace_back();
    for (const Elements *elements : {&from.core, &from.boundary, &from.layers[0].exec})
      for (const long long element : *elements)
        for (int column = 0; column < map.dim; ++column) {
          const long long target = map.targets[as_size(element * map.dim + column)];
          if (given_.mesh.owner[as_size(map.to)][as_size(target)] == rank) continue;
          ++out.entries;
          out.wanted.back().insert(target);
        }
  }
  return out;
}

std::vector<Elements> PartialCase::of_owner(const RandomCase &given, int rank, int set,
                                            const std::vector<Elements> &wanted) {
  std::vector<Elements> out(wanted.size());
  for (std::size_t other = 0; other < wanted.size(); ++other)
    for (const long long element : wanted[other])
      if (given.mesh.owner[as_size(set)][as_size(element)] == rank) out[other].insert(element);
  return out;
}

// What a rank sends of a dat, to each rank.
std::vector<Elements> PartialCase::sent_by(int rank, const Dat &dat, const Request &request) const {
  std::vector<Elements> wanted(as_size(given_.processes));
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    const Parts::Layer &layer = parts_[r][as_size(dat.set->index)].layers[0];
    if (request.partial) wanted[r] = reach_[as_size(request.map->index)].wanted[r];
    if (request.exec) wanted[r].insert(layer.exec.begin(), layer.exec.end());
    if (request.nonexec) wanted[r].insert(layer.read.begin(), layer.read.end());
  }
  return of_owner(given_, rank, dat.set->index, wanted);
}

std::size_t PartialCase::bytes_by(int rank, const Dat &dat, const Request &request) const {
  std::size_t rows = 0;
  for (const Elements &to_one : sent_by(rank, dat, request)) rows += to_one.size();
  return rows * as_size(dat.size);
}

// --- the threshold ---

void PartialCase::check_threshold(Mesh &mesh, const Map &map) const {
  const Reach &reach = reach_[as_size(map.index)];
  std::vector<int> percents = {0, 1, 10, 29, 30, 31, 60, 100, 250, 1'000'000'000};
  if (reach.copies > 0) { // just there, and one more
    const int bound = static_cast<int>(100 * reach.entries / reach.copies);
    percents.insert(percents.end(), {bound, bound + 1});
    if (100 * reach.entries % reach.copies == 0 && bound > 0) saw(mesh, "a share of whole percents");
  }
  for (const int percent : percents)
    EXPECT_EQ(partial_pays(mesh, map, percent), reach.pays(percent))
        << map.label << ": " << reach.entries << " entries, " << reach.copies << " copies, " << percent << " %";
  if (reach.copies > 0) saw(mesh, reach.pays(30) ? "pays at 30 %" : "does not pay at 30 %");
}

// --- one exchange ---

// All dats that the map leads to by what it reaches, others as a whole, in the same messages.
void PartialCase::check_exchange(Mesh &mesh, const Map &map) const {
  const int me = mesh.communicator().rank();
  Random random(given_.seed + as_size(map.index));
  std::vector<HaloItem> items;
  for (const auto &dat : mesh.dats())
    if (dat->set == map.to)
      items.push_back({dat.get(), true, true, &map});
    else if (below(random, 2) == 0)
      items.push_back({dat.get(), true, true});
  HaloExchange exchange(mesh, items);
  std::set<std::size_t> neighbours;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Dat &dat = *items[i].dat;
    const bool partial = items[i].through != nullptr;
    const Request request{!partial, !partial, partial, items[i].through};
    const std::size_t own = bytes_by(me, dat, request);
    EXPECT_EQ(exchange.bytes_of(i), own) << dat.label;
    EXPECT_EQ(exchange.saved_bytes_of(i), bytes_by(me, dat, {true, true}) - own) << dat.label;
    bytes += own;
    const std::vector<Elements> sent = sent_by(me, dat, request);
    for (std::size_t r = 0; r < sent.size(); ++r)
      if (!sent[r].empty()) neighbours.insert(r);
  }
  EXPECT_EQ(exchange.bytes(), bytes);
  EXPECT_EQ(exchange.messages(), static_cast<int>(neighbours.size()));
  for (const int round : {1, 2}) {
    for (const HaloItem &item : items) fill(mesh, *item.dat, round);
    exchange.start();
    exchange.progress();
    exchange.finish();
    for (const HaloItem &item : items) check_rows(mesh, item, round);
  }
}

void PartialCase::check_rows(Mesh &mesh, const HaloItem &item, int round) const {
  const Dat &dat = *item.dat;
  const Set &set = dat.on();
  const std::size_t me = as_size(mesh.communicator().rank());
  const int first_layer = set.executed() + set.nonexec_size;
  for (int row = 0; row < set.rows(); ++row) {
    const op_gindex element = set.global[as_size(row)];
    const bool reached = item.through ? reach_[as_size(item.through->index)].wanted[me].contains(element) : true;
    const bool wanted = row < set.size || (row < first_layer && reached);
    for (int at = 0; at < dat.size; ++at)
      ASSERT_EQ(static_cast<unsigned char>(dat.data[row * dat.size + at]),
                wanted ? byte_of(as_size(dat.index), element, at, round) : untouched)
          << dat.label << ", row " << row << " of " << set.size << " owned";
  }
  EXPECT_EQ(dat.state.exec_stale(), item.through != nullptr);
  EXPECT_EQ(dat.state.nonexec_stale(), item.through != nullptr);
  EXPECT_EQ(dat.dirtybit, item.through ? 1 : 0);
  if (!item.through) return;
  for (const auto &map : mesh.maps()) EXPECT_EQ(dat.state.stale_by(map->index), map.get() != item.through);
}

// --- loops ---

PartialCase::Args PartialCase::random_loop(Mesh &mesh, Random &random) const {
  Args candidates, args;
  const auto &maps = mesh.maps();
  const Set *const over = &maps[as_size(below(random, static_cast<int>(maps.size())))]->source();
  for (const auto &dat : mesh.dats()) {
    LoopArg arg;
    arg.dat = dat.get();
    if (dat->set == over) candidates.push_back(arg);
    for (const auto &map : maps) {
      if (map->from != over || map->to != dat->set) continue;
      arg.map = map.get();
      candidates.insert(candidates.end(), 2, arg);
      arg.map = nullptr;
    }
  }
  if (candidates.empty()) return {};
  const op_access kinds[] = {OP_READ, OP_READ, OP_READ, OP_READ, OP_READ, OP_RW, OP_INC, OP_WRITE};
  for (int n = 1 + below(random, 4); n > 0; --n) {
    args.push_back(candidates[as_size(below(random, static_cast<int>(candidates.size())))]);
    args.back().access = kinds[below(random, 8)];
  }
  return args;
}

bool PartialCase::executes_copies(const Args &args) {
  for (const LoopArg &arg : args)
    if (arg.map && arg.access != OP_READ) return true;
  return false;
}

// Does the kernel see what the row was? An increment through a map begins with nothing.
bool sees_row(const LoopArg &arg) {
  return arg.access == OP_READ || arg.access == OP_RW || (arg.access == OP_INC && !arg.map);
}

PartialCase::Request PartialCase::request_for(const Args &args, const Dat &dat, const Model &model, int percent,
                                              bool tell) const {
  bool sees = false, by_map = false, only_reads = true;
  std::set<const Map *> maps;
  for (const LoopArg &arg : args) {
    if (arg.dat != &dat) continue;
    only_reads = only_reads && arg.access == OP_READ;
    maps.insert(arg.map);
    if (!sees_row(arg) || (!arg.map && !executes_copies(args))) continue;
    sees = true;
    by_map = by_map || arg.map;
  }
  if (!sees) return {};
  const auto said = [&](const char *what) {
    if (tell) ++seen_[what];
  };
  if (only_reads && maps.size() > 1) said("read in several ways");
  if (only_reads && maps.size() == 1 && *maps.begin()) {
    const Map &map = **maps.begin();
    const bool stale = model.exec_stale || model.nonexec_stale;
    if (stale) said(reach_[as_size(map.index)].pays(percent) ? "stale and few wanted" : "stale and many wanted");
    if (reach_[as_size(map.index)].pays(percent)) {
      if (stale && model.fresh_by.contains(map.index)) said("stale, but not what is wanted");
      if (stale && !model.fresh_by.contains(map.index) && !model.fresh_by.empty()) said("fresh by another map");
      return {false, false, stale && !model.fresh_by.contains(map.index), &map};
    }
  }
  return {model.exec_stale, by_map && model.nonexec_stale, false, nullptr};
}

void PartialCase::check_loops(Mesh &mesh) const {
  Random random(given_.seed); // the same on all ranks
  const int percents[] = {0, 30, 30, 60, 150};
  const int percent = percents[below(random, 5)];
  HaloExchanges exchanges;
  std::vector<Model> models(mesh.dats().size());
  const auto write = [&](Dat &dat) {
    Model &model = models[as_size(dat.index)];
    model = {true, true, {}, model.round + 1};
    fill(mesh, dat, model.round);
  };
  for (const auto &dat : mesh.dats()) write(*dat);
  for (int step = 0; step < 12 && !testing::Test::HasFailure(); ++step) {
    if (!mesh.dats().empty() && below(random, 3) == 0)
      write(*mesh.dats()[as_size(below(random, static_cast<int>(mesh.dats().size())))]);
    const Args args = random_loop(mesh, random);
    StatsTable table;
    LoopExchange exchange(mesh, exchanges, {true, percent});
    exchange.prepare(args, executes_copies(args));
    check_run(mesh, exchange, table, args, models, percent);
    check_run(mesh, exchange, table, args, models, percent); // nothing has changed: nothing is sent
    for (const LoopArg &arg : args)
      if (arg.access != OP_READ) write(*arg.dat);
  }
}

void PartialCase::check_run(Mesh &mesh, LoopExchange &exchange, StatsTable &table, const Args &args,
                            std::vector<Model> &models, int percent) const {
  const int me = mesh.communicator().rank();
  LoopStats wanted;
  std::set<std::size_t> neighbours;
  bool any = false, looks = false;
  for (const auto &dat : mesh.dats()) {
    Model &model = models[as_size(dat->index)];
    bool used = false;
    for (const LoopArg &arg : args)
      used = used || (arg.dat == dat.get() && sees_row(arg) && (arg.map || executes_copies(args)));
    if (!used) continue;
    looks = true;
    const Request request = request_for(args, *dat, model, percent, me == 0);
    DatTraffic &traffic = wanted.traffic_of(dat->label);
    if (!request.any()) {
      ++traffic.avoided;
      continue;
    }
    any = true;
    ++traffic.exchanges;
    traffic.bytes = static_cast<double>(bytes_by(me, *dat, request));
    wanted.sent_bytes += traffic.bytes;
    if (request.partial) {
      ++traffic.partial;
      traffic.saved_bytes = static_cast<double>(bytes_by(me, *dat, {true, true})) - traffic.bytes;
      model.fresh_by.insert(request.map->index);
    }
    model.exec_stale = model.exec_stale && !request.exec;
    model.nonexec_stale = model.nonexec_stale && !request.nonexec;
    const std::vector<Elements> sent = sent_by(me, *dat, request);
    for (std::size_t r = 0; r < sent.size(); ++r)
      if (!sent[r].empty()) neighbours.insert(r);
  }

  table.reset();
  LoopStats &stats = table.of("loop", "set");
  exchange.find_stale(false, stats);
  exchange.exchange(stats);
  exchange.post();
  exchange.wait(stats);
  EXPECT_EQ(stats.exchanges, any ? 1 : 0);
  EXPECT_EQ(stats.avoided, looks && !any ? 1 : 0);
  EXPECT_EQ(stats.messages, static_cast<int>(neighbours.size()));
  EXPECT_EQ(stats.sent_bytes, wanted.sent_bytes);
  EXPECT_EQ(stats.traffic.size(), wanted.traffic.size());
  for (const DatTraffic &traffic : wanted.traffic) {
    const DatTraffic &got = stats.traffic_of(traffic.dat);
    EXPECT_EQ(got.exchanges, traffic.exchanges) << traffic.dat;
    EXPECT_EQ(got.avoided, traffic.avoided) << traffic.dat;
    EXPECT_EQ(got.partial, traffic.partial) << traffic.dat;
    EXPECT_EQ(got.bytes, traffic.bytes) << traffic.dat;
    EXPECT_EQ(got.saved_bytes, traffic.saved_bytes) << traffic.dat;
  }
  check_seen_rows(args, models);
}

// Whatever was exchanged: every row that a kernel sees has its owner's values.
void PartialCase::check_seen_rows(const Args &args, const std::vector<Model> &models) {
  for (const LoopArg &arg : args) {
    if (!sees_row(arg)) continue;
    const Dat &dat = *arg.dat;
    const Set &over = arg.map ? arg.map->source() : dat.on();
    const int elements = executes_copies(args) ? over.executed() : over.size, dim = arg.map ? arg.map->dim : 1;
    for (int i = 0; i < elements * dim; ++i) {
      const int row = arg.map ? arg.map->table[as_size(i)] : i;
      for (int at = 0; at < dat.size; ++at)
        ASSERT_EQ(static_cast<unsigned char>(dat.data[row * dat.size + at]),
                  byte_of(as_size(dat.index), dat.on().global[as_size(row)], at, models[as_size(dat.index)].round))
            << dat.label << (arg.map ? " by " + arg.map->label : "") << ", row " << row << " of " << dat.set->size;
    }
  }
}

TEST(PartialHalos, of_random_meshes) {
  Seen seen;
  for (unsigned seed = 1000; seed < 1070 && !HasFailure(); ++seed)
    PartialCase(random_case(seed, 2 + static_cast<int>(seed % 7)), seen).run();
  // They are worth something only as long as each of these is among them.
  std::vector<std::string> wanted = {"a share of whole percents",     "pays at 30 %",         "does not pay at 30 %",
                                     "read in several ways",          "stale and few wanted", "stale and many wanted",
                                     "stale, but not what is wanted", "fresh by another map"};
  for (int n = 2; n <= 8; ++n) wanted.push_back(text(n, " ranks"));
  for (const std::string &what : wanted) EXPECT_GE(seen[what], 2) << what;
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
