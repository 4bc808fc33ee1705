// Programs of random loops that run together (op_chain_begin, OP2_CHAIN): the results of loop after loop.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "op2/chain.h"
#include "op2/global.h"
#include "op2/info.h"
#include "suite.hpp"

namespace conformance {

namespace {

// Cells, their corners and a border whose elements lie anywhere.
struct Ground {
  explicit Ground(const Topology &mesh)
      : cells(declare_set(mesh.from, "cells")),
        nodes(declare_set(mesh.to, "nodes")),
        border(declare_set(mesh.from / 16, "border")),
        corners(declare_map(cells, nodes, mesh, "corners")),
        at(declare_map(border, cells, random_map(mesh.from / 16, mesh.from, 1, 90), "at")),
        next(declare_map(cells, nodes, shifted(mesh), "next")) {}
  // Another way to the corners: the third one of the next cell.
  static Topology shifted(const Topology &mesh) {
    Topology out{"shifted", mesh.from, mesh.to, 1, {}};
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      out.table.push_back(static_cast<int>(mesh.target((e + 1) % mesh.elements(), 2)));
    return out;
  }
  op_set cells, nodes, border;
  op_map corners, at, next;
};

// Data that loops pass back and forth.
class Waves {
 public:
  Waves(const Topology &mesh, const Ground &ground, const std::string &name)
      : cells_(ground.cells),
        nodes_(ground.nodes),
        border_(ground.border),
        corners_(ground.corners),
        at_(ground.at),
        next_(ground.next),
        c_(declare_dat(cells_, 2, reals(2 * mesh.elements(), 91), (name + "c").c_str())),
        n_(declare_dat(nodes_, 1, reals(mesh.targets(), 92), (name + "n").c_str())),
        m_(declare_dat(nodes_, 3, reals(3 * mesh.targets(), 93), (name + "m").c_str())),
        total_(op_decl_global(2, "double", std::vector<double>{1, 2}.data(), (name + "total").c_str())),
        highest_(op_decl_global(1, "double", nullptr, (name + "highest").c_str())),
        where_(op_decl_global(1, "int", nullptr, (name + "where").c_str())) {}

  void loop(int kind, double scale) {
    switch (kind) {
      case 0:
        run([](const double *a, const double *b, double *c) { c[0] += 0.25 * (a[0] - b[0]), c[1] = c[0] - 0.5 * c[1]; },
            "gather", cells_, through(corners_, 0, n_, OP_READ), through(corners_, 2, n_, OP_READ), direct(c_, OP_RW));
        break;
      case 1:
        run([](const double *c, double *a, double *b) { a[0] += 0.3 * c[0], b[0] -= 0.7 * c[1]; }, "scatter", cells_,
            direct(c_, OP_READ), through(corners_, 1, n_, OP_INC), through(corners_, 3, n_, OP_INC));
        break;
      case 2:
        run([](double *n, const double *m, const double *s) { n[0] = 0.5 * n[0] + s[0] * (m[0] - m[2]); }, "relax",
            nodes_, direct(n_, OP_RW), direct(m_, OP_READ), global(&scale, 1, OP_READ));
        scale = 1e9; // what counts is the value at the call
        break;
      case 3:
        run([](const double *n, double *m) { m[0] = n[0], m[1] = 1 - n[0], m[2] = 0.5 * n[0]; }, "copy", nodes_,
            direct(n_, OP_READ), direct(m_, OP_WRITE));
        break;
      case 4:
        run([](double *c) { c[0] += 0.125, c[1] -= 0.25; }, "border", border_, through(at_, 0, c_, OP_INC));
        break;
      case 5:
        run(
            [](const double *c, double *sum, double *least) {
              *sum += c[0];
              if (c[1] < *least) *least = c[1];
            },
            "look", cells_, direct(c_, OP_READ), global(&sum_, 1, OP_INC), global(&least_, 1, OP_MIN));
        break;
      case 6:
        run([](double *const *m, const double *c) { m[0][1] += c[0], m[3][2] -= c[1]; }, "spread", cells_,
            rows(corners_, 4, m_, OP_INC), direct(c_, OP_READ));
        break;
      case 7:
        fetch<double>(n_);
        break;
      case 8: // whose sums stay in the chain
        run([](const double *c, double *sum) { sum[0] += c[0], sum[1] -= 0.5 * c[1]; }, "total", cells_,
            direct(c_, OP_READ), op_arg_global(total_, 2, "double", OP_INC));
        break;
      case 9: {
        const double values[2] = {scale, 1 - scale};
        EXPECT_OK(op_put_global(total_, values));
        EXPECT_OK(op_put_global(highest_, values));
        break;
      }
      case 10:
        run([](double *n, const double *sum) { n[0] += 1e-3 * sum[0] - 1e-4 * sum[1]; }, "level", nodes_,
            direct(n_, OP_RW), op_arg_global(total_, 2, "double", OP_READ));
        break;
      case 11:
        run(
            [](const double *n, double *highest, const int *i, int *where) {
              if (*highest < *n) *highest = *n, *where = *i;
            },
            "highest", nodes_, direct(n_, OP_READ), op_arg_global(highest_, 1, "double", OP_MAX), op_arg_idx(-1, OP_ID),
            op_arg_global_payload(where_, 1, "int", 1));
        break;
      case 12: // reduces, and adds through a map
        run(
            [](const double *c, double *a, double *b, double *sum) {
              const double flow = 0.01 * (c[0] - c[1]);
              a[0] += flow, b[0] -= 0.5 * flow, sum[0] += flow, sum[1] += c[1];
            },
            "flow", cells_, direct(c_, OP_READ), through(corners_, 0, n_, OP_INC), through(corners_, 3, n_, OP_INC),
            op_arg_global(total_, 2, "double", OP_INC));
        break;
      case 13: // the same, several columns at once, and a value of the program's
        run(
            [](const double *n, double *const *m, double *least) {
              for (int k = 0; k < 3; ++k) m[k][k] += 0.02 * n[0];
              if (n[0] < *least) *least = n[0];
            },
            "drain", cells_, through(corners_, 2, n_, OP_READ), rows(corners_, 3, m_, OP_INC),
            global(&least_, 1, OP_MIN));
        break;
      case 14:
        run([](double *c) { c[0] = 0.25, c[1] = -0.5; }, "set", border_, through(at_, 0, c_, OP_WRITE));
        break;
      case 15: // each element halves a row that others may halve, too
        run([](double *c, const double *scale) { c[0] *= 0.5, c[1] *= *scale < 0 ? -0.5 : 0.5; }, "halve", border_,
            through(at_, 0, c_, OP_RW), global(&scale, 1, OP_READ));
        break;
      case 16:
        run([](double *n, const int *i) { n[0] -= 1e-6 * *i; }, "tilt", nodes_, direct(n_, OP_RW),
            op_arg_idx(-1, OP_ID));
        break;
      case 17:
        put(n_, 94);
        break;
      case 18: // what it sets to itself, and adds to others
        run([](const double *n, double *c, double *m) { c[0] = n[0], c[1] = 0.1, m[1] -= 0.3 * n[0]; }, "both", cells_,
            through(corners_, 1, n_, OP_READ), direct(c_, OP_WRITE), through(corners_, 2, m_, OP_INC));
        break;
      default: // through two maps, to two dats
        run([](double *n, double *m, const double *c) { n[0] += 0.1 * c[0], m[0] -= 0.2 * c[1], m[2] += c[0]; }, "jump",
            cells_, through(next_, 0, n_, OP_INC), through(corners_, 1, m_, OP_INC), direct(c_, OP_READ));
    }
  }
  static constexpr int kinds = 20;

  // Values as at the beginning; runs what is recorded.
  void renew() { put(c_, 91), put(n_, 92), put(m_, 93); }
  static void put(op_dat dat, std::uint64_t seed) {
    const int size = own_part(static_cast<int>(op_get_size(op_dat_set(dat)))).size * op_dat_dim(dat);
    EXPECT_OK(op_put_data(dat, reals(static_cast<std::size_t>(std::max(size, 1)), seed).data()));
  }

  std::vector<double> result() {
    std::vector<double> out = {sum_, least_, 0, 0, 0};
    EXPECT_OK(op_fetch_global(total_, &out[2]));
    EXPECT_OK(op_fetch_global(highest_, &out[4]));
    int where = 0;
    EXPECT_OK(op_fetch_global(where_, &where));
    out.push_back(where);
    for (const op_dat dat : {c_, n_, m_}) {
      const std::vector<double> rows = fetch<double>(dat);
      out.insert(out.end(), rows.begin(), rows.end());
    }
    return out;
  }

 private:
  op_set cells_, nodes_, border_;
  op_map corners_, at_, next_;
  op_dat c_, n_, m_;
  op_global total_, highest_, where_;
  double sum_ = 0, least_ = 1e30;
};

const std::vector<Topology> &meshes() {
  static const std::vector<Topology> list = {quads(9, 40), quads(60, 150), shuffled(quads(12, 12), 5),
                                             random_map(200, 150, 4, 6), quads(1, 1)};
  return list;
}

} // namespace

using Chains = Topic;

// Random programs, one after another on the same data: nine loops each, some of which end a chain, and puts and fetches
// between them. OP2TEST_PROGRAMS: how many. The last results, and a sum over the bits of those of each program.
std::vector<double> run_programs(const Topology &mesh, bool together, const std::vector<std::string> &settings,
                                 const std::vector<int> &before = {}) {
  static const char *const wanted = std::getenv("OP2TEST_PROGRAMS");
  const int programs = wanted ? std::atoi(wanted) : 24;
  const Session session(settings);
  if (!repeatable()) return {};
  const Ground ground(mesh);
  Waves waves(mesh, ground, "w_");
  // Loops run by themselves when they are called for the first time.
  for (int again = 0; again < (before.empty() ? 0 : 2); ++again) {
    if (together) {
      EXPECT_OK(op_chain_begin("before"));
    }
    for (const int kind : before) waves.loop(kind, 0.1);
    if (together) {
      EXPECT_OK(op_chain_end());
    }
  }
  std::vector<double> sums;
  for (int program = 0; program < programs; ++program) {
    waves.renew();
    Random random(static_cast<std::uint64_t>(program));
    const int limits[] = {5, 8, 12, Waves::kinds};
    std::vector<int> kinds;
    for (int k = 0; k < 9; ++k) kinds.push_back(random.below(limits[program % 4]));
    // Processes run a chain in layers of copies from its second time on; tiles come then, too, if they are not asked
    // for.
    for (int again = 0; again < (processes() > 1 ? 3 : 2); ++again) {
      if (together) {
        EXPECT_OK(op_chain_begin("program"));
      }
      for (std::size_t k = 0; k < kinds.size(); ++k)
        waves.loop(kinds[k], 0.1 * (program % 10 + again) - 0.01 * static_cast<double>(k));
      if (together) {
        EXPECT_OK(op_chain_end());
      }
    }
    std::uint64_t sum = 0;
    for (const double value : waves.result()) {
      EXPECT_TRUE(std::isfinite(value)) << "program " << program;
      sum = 31 * sum + std::bit_cast<std::uint64_t>(value);
    }
    sums.push_back(static_cast<double>(sum >> 12)); // exactly
  }
  std::vector<double> result = waves.result();
  result.insert(result.end(), sums.begin(), sums.end());
  return result;
}

void expect_same_bits(const std::vector<double> &apart, const std::vector<double> &together) {
  ASSERT_EQ(apart.size(), together.size());
  for (std::size_t i = 0; i < apart.size(); ++i)
    ASSERT_EQ(0, std::memcmp(&apart[i], &together[i], sizeof apart[i]))
        << "value " << i << " is " << together[i] << " instead of " << apart[i];
  EXPECT_TRUE(std::isfinite(apart[0]) && apart[0] != 0) << apart[0];
}

TEST_F(Chains, GiveTheBitsOfLoopAfterLoop) {
  for (const Topology &mesh : meshes()) {
    SCOPED_TRACE(mesh.name);
    std::vector<std::string> settings = {"OP2_CHAIN_DEPTH=3"};
    if ((&mesh - &meshes().front()) % 2 == 0) settings = {"OP2_CHAIN_DEPTH=4", "OP2_CHAIN_TILE=1"};
    const std::vector<double> apart = run_programs(mesh, false, {"OP2_CHAIN=off"});
    if (apart.empty()) GTEST_SKIP() << "sums have other bits in each run";
    expect_same_bits(apart, run_programs(mesh, true, settings));
  }
}

// Where the order of the mesh is bad for owners of rows, loops run colour by colour, and do so in chains, too.
TEST_F(Chains, KeepTheOrderOfColours) {
  FOR_ONE_PROCESS("openmp runs no tiles in several");
  {
    const Session session(std::vector<std::string>{});
    if (op_backend() != std::string("self+openmp") || race() != "auto" || reproducible())
      GTEST_SKIP() << "loops do not run by colours, or always";
  }
  // Elements reach both ends of the set, so that parts of rows share nearly all of them.
  Topology mesh{"folded", 2000, 2001, 4, {}};
  Random random(95);
  for (int e = 0; e < mesh.from; ++e)
    for (const int end : {e, 2000 - e, e, 2000 - e})
      mesh.table.push_back(std::clamp(end + random.below(100) - 50, 0, 2000));
  const std::vector<int> adding = {1, 4, 6, 12, 13, 14, 18, 19};
  const auto bits = [&](bool together, const char *way, const char *tile) {
    return run_programs(mesh, together, {"OP2_RENUMBER=off", "OP2_CHAIN=off", way, tile}, adding);
  };
  const std::vector<double> elements = bits(false, "OP2_RACE=owner", "OP2_CHAIN_TILE=0");
  const std::vector<double> colours = bits(false, "OP2_RACE=auto", "OP2_CHAIN_TILE=0");
  EXPECT_NE(elements, colours) << "the mesh is in good order";
  for (const char *const tile : {"OP2_CHAIN_TILE=1", "OP2_CHAIN_TILE=0"}) {
    SCOPED_TRACE(tile);
    expect_same_bits(colours, bits(true, "OP2_RACE=auto", tile));
  }
}

// What the timing table says of a chain: on executors that run tiles, loops that add through maps and reduce are in
// them.
TEST_F(Chains, AreInTheTimingTable) {
  FOR_ONE_PROCESS("other tables");
  const Session session({"OP2_CHAIN=off", "OP2_CHAIN_TILE=1"});
  const std::string executor = op_backend(), order = race(), layout = op_setting("OP2_LAYOUT");
  const bool tiles = executor == "self+seq" || (executor == "self+openmp" && (order == "auto" || order == "owner"));
  if (!tiles || reproducible() || layout == "soa") GTEST_SKIP() << "no tiles with these settings";
  const Topology mesh = quads(60, 150);
  const Ground ground(mesh);
  Waves waves(mesh, ground, "w_");
  const std::string file = testing::TempDir() + "/op2_chains." + std::to_string(getpid()) + ".json";
  for (int round = 0; round < 12; ++round) {
    EXPECT_OK(op_chain_begin("flow \"1\""));
    for (const int kind : {12, 2, 0, 12, 6}) waves.loop(kind, 0.1);
    EXPECT_OK(op_chain_end());
  }
  EXPECT_OK(op_timings_to_json(file.c_str()));
  std::ifstream in(file);
  const std::string said((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::remove(file.c_str());
  const std::string begin = R"({"chain": "flow \"1\"", "loops": 5, "runs": 11, "in_tiles": )";
  const std::size_t at = said.find(begin);
  ASSERT_NE(std::string::npos, at) << said;
  EXPECT_LE(8, std::atoi(said.c_str() + at + begin.size()))
      << said; // in the others loops are compared with their kernels
  const std::string chain = said.substr(at, said.find("\"ways\"", at) - at);
  EXPECT_EQ(std::string::npos, chain.find("\"tiles\": 0,")) << chain;
  EXPECT_NE(std::string::npos, chain.find("\"no_tiles\": \"\"")) << chain;
}

// A loop that reads what those before it reduce runs them, also where that is when halos get more layers and all loops
// are prepared anew; and what is put twice between full chains has its last value.
TEST_F(Chains, RunWhatALoopReads) {
  const auto results = [](bool together) {
    const Session session(std::vector<std::string>{"OP2_CHAIN_DEPTH=3"});
    if (!repeatable()) return std::vector<double>();
    const Topology mesh = quads(9, 40);
    const Ground ground(mesh);
    Waves waves(mesh, ground, "w_");
    for (int round = 0; round < 5; ++round) {
      if (together) {
        EXPECT_OK(op_chain_begin("round"));
      }
      for (const int kind : {1, 0, 1, 8, 10, 9, 3, 6, 9, 8, 11, 9, 8}) waves.loop(kind, 0.1 * round);
      if (together) {
        EXPECT_OK(op_chain_end());
      }
    }
    return waves.result();
  };
  const std::vector<double> apart = results(false), chained = results(true);
  if (apart.empty()) GTEST_SKIP() << "sums have other bits in each run";
  ASSERT_EQ(apart.size(), chained.size());
  EXPECT_EQ(0, std::memcmp(apart.data(), chained.data(), sizeof(double) * apart.size()));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
