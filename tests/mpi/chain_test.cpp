// chain_test.cpp: chains of loops on several processes, on the airfoil mesh: messages, what is computed again, and the
// bits of loop after loop.
#include <gtest/gtest.h>
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "../../examples/airfoil/airfoil_kernels.h"
#include "json.hpp"
#include "naca_mesh.hpp"
#include "whole_session.hpp"
#include "whole_tables.hpp"

namespace {

using whole::Session;

inline void step(const double *qold, double *q, double *res, const double *adt, double *rms, double *most) {
  const double adti = 1.0 / *adt;
  for (int n = 0; n < 4; ++n) {
    const double change = adti * res[n];
    q[n] = qold[n] - change;
    res[n] = 0.0;
    *rms += change * change;
    if (change > *most) *most = change;
  }
}

inline void spread(const double *from, double *to) { *to += 1 + 0.25 * *from; }
// Writes where it must not.
inline void stray(const double *most, const double *b, double *a, double *sum) {
  if (*b > *most) *(double *)8 = 1;
  *a = 0.5 * *b;
  *sum += *a;
}

struct Ground {
  explicit Ground(const naca::Mesh &m)
      : nodes(m.nnode, "nodes"),
        edges(m.nedge, "edges"),
        bedges(m.nbedge, "bedges"),
        cells(m.ncell, "cells"),
        edge_nodes(edges, nodes, 2, m.edge_nodes, "edge_nodes"),
        edge_cells(edges, cells, 2, m.edge_cells, "edge_cells"),
        bedge_nodes(bedges, nodes, 2, m.bedge_nodes, "bedge_nodes"),
        bedge_cell(bedges, cells, 1, m.bedge_cell, "bedge_cell"),
        cell_nodes(cells, nodes, 4, m.cell_nodes, "cell_nodes"),
        x(nodes, m.x, "x"),
        bound(bedges, m.bound, "bound") {}
  op2::set nodes, edges, bedges, cells;
  op2::map edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes;
  op2::dat<double, 2> x;
  op2::dat<int, 1> bound;
};

std::vector<double> free_stream(int cells) {
  std::vector<double> q;
  for (int c = 0; c < cells; ++c) q.insert(q.end(), qinf, qinf + 4);
  return q;
}

class Flow {
 public:
  Flow(Ground &ground, int cells, const std::string &name)
      : on_(ground),
        q_(ground.cells, free_stream(cells), (name + "q").c_str()),
        qold_(ground.cells, nullptr, (name + "qold").c_str()),
        res_(ground.cells, nullptr, (name + "res").c_str()),
        adt_(ground.cells, nullptr, (name + "adt").c_str()),
        rms_((name + "rms").c_str()),
        most_((name + "most").c_str()) {}

  void iterate() {
    op_par_loop(save_soln, "save_soln", on_.cells, op2::read(q_), op2::write(qold_));
    for (int stage = 0; stage < 2; ++stage) {
      op_par_loop(adt_calc, "adt_calc", on_.cells, op2::read(on_.x, 0, on_.cell_nodes),
                  op2::read(on_.x, 1, on_.cell_nodes), op2::read(on_.x, 2, on_.cell_nodes),
                  op2::read(on_.x, 3, on_.cell_nodes), op2::read(q_), op2::write(adt_));
      op_par_loop(
          res_calc, "res_calc", on_.edges, op2::read(on_.x, 0, on_.edge_nodes), op2::read(on_.x, 1, on_.edge_nodes),
          op2::read(q_, 0, on_.edge_cells), op2::read(q_, 1, on_.edge_cells), op2::read(adt_, 0, on_.edge_cells),
          op2::read(adt_, 1, on_.edge_cells), op2::inc(res_, 0, on_.edge_cells), op2::inc(res_, 1, on_.edge_cells));
      op_par_loop(bres_calc, "bres_calc", on_.bedges, op2::read(on_.x, 0, on_.bedge_nodes),
                  op2::read(on_.x, 1, on_.bedge_nodes), op2::read(q_, 0, on_.bedge_cell),
                  op2::read(adt_, 0, on_.bedge_cell), op2::inc(res_, 0, on_.bedge_cell), op2::read(on_.bound));
      op_par_loop(step, "step", on_.cells, op2::read(qold_), op2::write(q_), op2::rw(res_), op2::read(adt_),
                  op2::gbl_inc(rms_), op2::gbl_max(most_));
    }
  }
  void chain(int iterations) {
    const op2::chain together("flow");
    for (int i = 0; i < iterations; ++i) iterate();
  }
  std::vector<double> state() {
    std::vector<double> out(static_cast<std::size_t>(op_get_size(on_.cells)) * 4);
    EXPECT_EQ(op_fetch_data_all(q_, out.data()), OP_OK) << op_last_error();
    out.push_back(rms_.fetch());
    out.push_back(most_.fetch());
    return out;
  }

 private:
  Ground &on_;
  op2::dat<double, 4> q_, qold_, res_;
  op2::dat<double, 1> adt_;
  op2::global<double> rms_, most_; // over all steps
};

double messages_so_far(int rank) {
  double sum = 0;
  const std::string csv = whole::written_by(op_timings_to_csv, rank);
  for (const auto &[name, count] : whole::from_csv(csv).counts)
    if (name.find('/') == std::string::npos) sum += count.messages;
  EXPECT_EQ(op_timing_reset(), OP_OK);
  return sum;
}

struct Case {
  int I, J, iterations; // in a chain
};

// Where the emulated GPU of this process writes what it is asked for, from its first use on.
const struct CallsFile {
  std::string name = testing::TempDir() + "op2_calls." + std::to_string(getpid());
  CallsFile() { setenv("FAKE_CUDA_TRACE", name.c_str(), 1); }
  ~CallsFile() { std::remove(name.c_str()); }
} calls_file;

class Calls {
 public:
  struct Counts {
    int launches = 0, graphs = 0, copies_back = 0;
    [[maybe_unused]] friend bool operator==(const Counts &, const Counts &) = default; // where GPUs are emulated
  };
  Counts since_last_time() {
    Counts out;
    std::ifstream in(calls_file.name);
    in.seekg(at_);
    for (std::string line; std::getline(in, line);) {
      at_ += static_cast<std::streamoff>(line.size() + 1);
      out.launches += line.starts_with("cuLaunchKernel ");
      out.graphs += line.starts_with("cuGraphLaunch ");
      out.copies_back += line.starts_with("cuMemcpyDtoHAsync");
    }
    return out;
  }
  Counts apart, together; // of all chains

 private:
  std::streamoff at_ = 0;
};

// Messages of all processes in an iteration, without and with chains. in_tiles: their groups of loops are.
constexpr int chains = 4;
std::pair<double, double> messages_of(const Case &given, int rank, bool in_tiles = false, Calls *calls = nullptr) {
  airfoil_constants();
  const naca::Mesh mesh = naca::make_mesh(given.I, given.J);
  Ground ground(mesh);
  Flow apart(ground, mesh.ncell, "a_"), together(ground, mesh.ncell, "b_");
  EXPECT_EQ(op_partition("GEOM", "", ground.nodes, nullptr, ground.x), OP_OK) << op_last_error();
  for (int i = 0; i < 3 * given.iterations; ++i) apart.iterate();
  for (int i = 0; i < 3; ++i) together.chain(given.iterations); // apart; then one after another; then prepared
  messages_so_far(rank);
  if (calls) calls->since_last_time();
  for (int i = 0; i < chains * given.iterations; ++i) apart.iterate();
  if (calls) calls->apart = calls->since_last_time();
  const double before = messages_so_far(rank);
  if (calls) calls->since_last_time();
  for (int i = 0; i < chains; ++i) together.chain(given.iterations);
  if (calls) calls->together = calls->since_last_time();
  const std::string times = whole::written_by(op_timings_to_json, rank); // of the chains
  if (rank == 0 && op_comm_size() > 1) {
    const std::string one_each = ", \"reduced\": " + std::to_string(2 * chains * given.iterations) +
                                 ", \"reductions\": " + std::to_string(chains);
    EXPECT_NE(times.find(one_each), std::string::npos) << one_each << " in " << times;
    const bool none = times.find("\"in_tiles\": 0,") != std::string::npos;
    EXPECT_NE(times.find("\"in_tiles\": "), std::string::npos) << times;
    EXPECT_EQ(none, !in_tiles) << times;
  }
  const double after = messages_so_far(rank);
  const std::vector<double> a = apart.state(), b = together.state();
  EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(double)));
  EXPECT_GT(a[a.size() - 2], 0) << "nothing flows";
  EXPECT_GT(a.back(), 0);
  return {before / chains / given.iterations, after / chains / given.iterations};
}

// 41 472 cells, which fit into caches of this size on each process: no tiles.
TEST(AirfoilInChains, sends_a_quarter_of_the_messages) {
  const Session session({"OP2_CHAIN_DEPTH=8", "OP2_CHAIN_TILE=32768,65536", "OP2_DECLARE=replicated", "OP2_TIMING=on"});
  const auto [apart, together] = messages_of({96, 144, 3}, session.rank);
  if (session.rank == 0) {
    std::printf("messages in an iteration: %g, in chains %g\n", apart, together);
    EXPECT_GT(together, session.processes > 1 ? 0 : -1);
    EXPECT_LE(together, 0.25 * apart);
  }
}

void runs_in_tiles_on(const std::string &executor, const std::string &threads) {
  int rank = 0;
  testing::internal::CaptureStderr();
  {
    const Session session({"OP2_CHAIN_DEPTH=8", "OP2_CHAIN_TILE=16", "OP2_DECLARE=replicated", "OP2_TIMING=on",
                           "OP2_LOG=info", "OP2_NUM_THREADS=" + threads},
                          executor);
    rank = session.rank;
    const auto [apart, together] = messages_of({48, 72, 3}, rank, true);
    if (rank == 0) { // all loops are in one group
      EXPECT_LE(together, 0.25 * apart);
    }
  }
  const std::string log = testing::internal::GetCapturedStderr();
  if (rank != 0) return; // process 0 speaks for all
  const std::size_t chain = log.find("chain 'flow' of 27 loops");
  ASSERT_NE(chain, std::string::npos) << log;
  const std::string line = log.substr(chain, log.find('\n', chain) - chain);
  EXPECT_NE(line.find(" tiles, "), std::string::npos) << line;
  EXPECT_EQ(line.find("one after the other"), std::string::npos) << line;
}

// Each process runs its loops in tiles of 16 KiB, and finds the bits of loop after loop.
TEST(AirfoilInChains, runs_in_tiles) { runs_in_tiles_on("seq", "1"); }

// The same on threads, each of which has tiles of its own.
TEST(AirfoilInChains, runs_in_tiles_on_threads) {
  for (const char *threads : {"1", "2", "3"}) {
    SCOPED_TRACE(threads);
    runs_in_tiles_on("openmp", threads);
  }
}

// Tasks, some of which run while messages travel.
TEST(AirfoilInChains, runs_on_tasks) {
  for (const char *threads : {"1", "3"}) {
    SCOPED_TRACE(threads);
    runs_in_tiles_on("tasks", threads);
  }
}

// A file by which one process of the job tells the others something.
const std::string told = testing::TempDir() + "op2_told." + std::to_string(getppid());
std::atomic<bool> tells{false};

inline void tell(const double *mark, const double *b, double *a) {
  if (*mark == 1 && tells) std::ofstream(told) << "ran";
  *a = 0.5 * *b;
}

// Cells in a row, in two rounds of loops. The other processes do not begin their last chain, and send nothing, until
// process 0 has run the last loop of its own one in the middle of its cells.
TEST(Chains, run_while_messages_are_held_back_on_tasks) {
  constexpr int cells = 20000;
  std::string arguments[] = {
      "chain_test",        "OP2_BACKEND=" + std::string(std::getenv("OP2TEST_COMM") ? "shm" : "mpi") + "+tasks",
      "OP2_NUM_THREADS=2", "OP2_CHAIN_DEPTH=8",
      "OP2_CHAIN_TILE=16", "OP2_DECLARE=replicated",
      "OP2_PARTITION=off", "OP2_JIT=off",
      "OP2_RACE=owner"};
  std::vector<char *> pointers;
  for (std::string &argument : arguments) pointers.push_back(argument.data());
  ASSERT_EQ(op_init(static_cast<int>(pointers.size()), pointers.data(), 0), OP_OK) << op_last_error();
  {
    int rank = 0;
    op_rank(&rank);
    std::vector<int> sides;
    for (int c = 0; c + 1 < cells; ++c) sides.insert(sides.end(), {c, c + 1});
    std::vector<double> marks(cells);
    marks[static_cast<std::size_t>(cells / op_comm_size() / 2)] = 1;
    op2::set row(cells, "cells"), between(cells - 1, "sides");
    op2::map side_cells(between, row, 2, sides, "side_cells");
    op2::dat<double, 1> mark(row, marks, "mark"), a(row, nullptr, "a"), b(row, nullptr, "b");
    if (rank == 0) std::remove(told.c_str());
    for (int round = 0; round < 5; ++round) {
      const bool last = round == 4;
      tells = last && rank == 0;
      for (int wait = 0; last && rank != 0 && wait < 6000 && !std::ifstream(told); ++wait) usleep(10000);
      if (last && rank != 0) {
        EXPECT_TRUE(std::ifstream(told)) << "process 0 waits for messages";
      }
      const op2::chain together("row");
      for (int k = 0; k < 2; ++k) {
        op_par_loop(spread, "spread", between, op2::read(a, 0, side_cells), op2::inc(b, 1, side_cells));
        op_par_loop(tell, "tell", row, op2::read(mark), op2::read(b), op2::write(a));
      }
    }
    double sum = 0;
    std::vector<double> values(cells);
    EXPECT_EQ(op_fetch_data_all(a, values.data()), OP_OK) << op_last_error();
    for (const double value : values) sum += value;
    EXPECT_GT(sum, 0);
    if (rank == 0) std::remove(told.c_str());
  }
  op_exit();
}

void declare_constants() {
  airfoil_constants();
  EXPECT_EQ(op_decl_const_named("gam", 1, "double", &gam), OP_OK) << op_last_error();
  EXPECT_EQ(op_decl_const_named("gm1", 1, "double", &gm1), OP_OK) << op_last_error();
  EXPECT_EQ(op_decl_const_named("cfl", 1, "double", &cfl), OP_OK) << op_last_error();
  EXPECT_EQ(op_decl_const_named("eps", 1, "double", &eps), OP_OK) << op_last_error();
  EXPECT_EQ(op_decl_const_named("qinf", 4, "double", qinf), OP_OK) << op_last_error();
}

std::string line_of_chain(const std::string &log, int loops = 27) {
  const std::size_t chain = log.rfind("chain 'flow' of " + std::to_string(loops) + " loops");
  return chain == std::string::npos ? "none in " + log : log.substr(chain, log.find('\n', chain) - chain);
}

// On GPUs that add up increments in one order all processes compute the same rows with the same bits. The whole chain
// goes to each GPU in two graphs: what needs no copies, and the rest. Loop after loop, each loop is launched by itself.
TEST(AirfoilInChains, is_two_graphs_on_gpus) {
  for (const char *direct : {"off", "ipc"}) {
    SCOPED_TRACE(direct);
    Calls calls;
    calls.since_last_time();
    int rank = 0;
    testing::internal::CaptureStderr();
    {
      const Session session({"OP2_CHAIN_DEPTH=8", "OP2_RACE=gather", "OP2_DECLARE=replicated", "OP2_TIMING=on",
                             "OP2_LOG=info", "OP2_FALLBACK=error", std::string("OP2_GPU_DIRECT=") + direct},
                            "cuda");
      rank = session.rank;
      declare_constants();
      const auto [apart, together] = messages_of({24, 36, 3}, rank, false, &calls);
      if (rank == 0) {
        std::printf(
            "messages in an iteration: %g, in chains %g; launches of process 0: %d, in chains %d and %d graphs\n",
            apart, together, calls.apart.launches, calls.together.launches, calls.together.graphs);
        EXPECT_LE(together, 0.25 * apart);
      }
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(calls.together.graphs, 2 * chains);
    EXPECT_EQ(calls.together.launches, 2 * chains) << "to pack and to unpack rows";
    EXPECT_GE(calls.apart.launches, 3 * 9 * chains);
    if (rank != 0) continue; // process 0 speaks for all
    EXPECT_NE(line_of_chain(log).find("in 1 groups with 7 layers of copies, on executor cuda: one graph of 2 launches "
                                      "while messages travel, one graph of 44 launches"),
              std::string::npos)
        << line_of_chain(log);
  }
}

// Colours differ from process to process: loops that add through maps run by themselves, between groups.
TEST(AirfoilInChains, leaves_colours_alone_on_gpus) {
  int rank = 0;
  testing::internal::CaptureStderr();
  {
    const Session session({"OP2_CHAIN_DEPTH=8", "OP2_RACE=colour", "OP2_DECLARE=replicated", "OP2_TIMING=on",
                           "OP2_LOG=info", "OP2_FALLBACK=error"},
                          "cuda");
    rank = session.rank;
    declare_constants();
    messages_of({24, 36, 3}, rank);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  // save and adt; res; bres; step and adt of the next stage, or save and adt of the next iteration; ...
  EXPECT_NE(line_of_chain(log).find("in 19 groups"), std::string::npos) << line_of_chain(log);
}

// By default atomic additions, in any order: results differ in their last bits anyhow. How a chain runs is measured.
TEST(AirfoilInChains, is_measured_on_gpus) {
  int rank = 0;
  testing::internal::CaptureStderr();
  {
    const Session session({"OP2_DECLARE=replicated", "OP2_TIMING=on", "OP2_LOG=info", "OP2_FALLBACK=error"}, "cuda");
    rank = session.rank;
    declare_constants();
    const naca::Mesh mesh = naca::make_mesh(12, 18);
    Ground ground(mesh);
    Flow apart(ground, mesh.ncell, "a_"), together(ground, mesh.ncell, "b_");
    EXPECT_EQ(op_partition("GEOM", "", ground.nodes, nullptr, ground.x), OP_OK) << op_last_error();
    constexpr int runs = 40;
    for (int i = 0; i < runs; ++i) apart.iterate();
    for (int i = 0; i < runs; ++i) together.chain(1);
    const std::vector<double> a = apart.state(), b = together.state();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9 * std::max(1.0, std::abs(a[i]))) << i;
    EXPECT_GT(a.back(), 0);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  const std::string line = line_of_chain(log, 9);
  EXPECT_NE(line.find(" ms loop after loop with 2 exchanges, "), std::string::npos) << line;
  EXPECT_NE(line.find(" ms with 1 exchanges"), std::string::npos) << line;
}

// Where some processes have no GPU, copies of rows may be rounded in another way than the rows: chains run in layers
// only where no results are promised to be the same in every run.
TEST(AirfoilInChains, is_in_layers_beside_cpus_if_any_order_will_do_on_gpus) {
  for (const char *race : {"atomic", "gather"}) {
    SCOPED_TRACE(race);
    const Session session({"OP2_CHAIN_DEPTH=8", std::string("OP2_RACE=") + race, "OP2_DECLARE=replicated",
                           "OP2_TIMING=on", "OP2_FALLBACK=error", "OP2_PARTITION_WEIGHTS=1,1,1"},
                          "cuda,seq,cuda");
    if (session.processes != 3) GTEST_SKIP() << "for three processes";
    declare_constants();
    const naca::Mesh mesh = naca::make_mesh(12, 18);
    Ground ground(mesh);
    Flow apart(ground, mesh.ncell, "a_"), together(ground, mesh.ncell, "b_");
    EXPECT_EQ(op_partition("GEOM", "", ground.nodes, nullptr, ground.x), OP_OK) << op_last_error();
    for (int i = 0; i < 4; ++i) apart.iterate(), together.chain(1);
    const std::string times = whole::written_by(op_timings_to_json, session.rank);
    if (session.rank == 0) {
      EXPECT_EQ(times.find("\"layers\": ") != std::string::npos, std::string(race) == "atomic") << times;
    }
    const std::vector<double> a = apart.state(), b = together.state();
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-10 * std::max(1.0, std::abs(a[i]))) << i;
  }
}

// The GPU of one process fails inside a chain: all processes learn of it, and none waits for another one for ever.
TEST(AirfoilInChains, ends_everywhere_after_a_failure_on_gpus) {
  testing::internal::CaptureStderr();
  int rank = 0, processes = 0;
  std::string said;
  std::vector<op_status> ends;
  {
    const Session session({"OP2_CHAIN_DEPTH=8", "OP2_DECLARE=replicated", "OP2_FALLBACK=error"}, "cuda");
    rank = session.rank, processes = session.processes;
    const naca::Mesh mesh = naca::make_mesh(12, 18);
    Ground ground(mesh);
    op2::dat<double, 1> a(ground.cells, nullptr, "a"), b(ground.cells, nullptr, "b");
    op2::global<double> sum("sum");
    EXPECT_EQ(op_partition("GEOM", "", ground.nodes, nullptr, ground.x), OP_OK) << op_last_error();
    for (int round = 0; round < 5; ++round) {
      const double most = round == 4 && rank == 1 ? -1 : 1e30;
      EXPECT_EQ(op_chain_begin("stray"), OP_OK);
      op_par_loop(spread, "spread", ground.edges, op2::read(a, 0, ground.edge_cells),
                  op2::inc(b, 1, ground.edge_cells));
      op_par_loop(stray, "stray", ground.cells, op2::gbl_read(&most), op2::read(b), op2::write(a), op2::gbl_inc(sum));
      ends.push_back(op_chain_end());
    }
    said = op_last_error();
  }
  testing::internal::GetCapturedStderr();
  if (processes == 1) return;
  EXPECT_EQ(std::vector<op_status>(4, OP_OK), std::vector<op_status>(ends.begin(), ends.end() - 1));
  EXPECT_NE(ends.back(), OP_OK);
  EXPECT_NE(said.find("stray"), std::string::npos) << said;
}

} // namespace

// SPDX-License-Identifier: MIT
