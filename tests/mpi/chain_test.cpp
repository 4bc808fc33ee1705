// chain_test.cpp: chains of loops on several processes, on the airfoil mesh: messages, what is computed again, and the
// bits of loop after loop.
#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <cstring>
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

// Messages of all processes in an iteration, without and with chains. in_tiles: their groups of loops are.
std::pair<double, double> messages_of(const Case &given, int rank, bool in_tiles = false) {
  airfoil_constants();
  const naca::Mesh mesh = naca::make_mesh(given.I, given.J);
  Ground ground(mesh);
  Flow apart(ground, mesh.ncell, "a_"), together(ground, mesh.ncell, "b_");
  EXPECT_EQ(op_partition("GEOM", "", ground.nodes, nullptr, ground.x), OP_OK) << op_last_error();
  constexpr int chains = 4;
  for (int i = 0; i < 3 * given.iterations; ++i) apart.iterate();
  for (int i = 0; i < 3; ++i) together.chain(given.iterations); // apart; then one after another; then prepared
  messages_so_far(rank);
  for (int i = 0; i < chains * given.iterations; ++i) apart.iterate();
  const double before = messages_so_far(rank);
  for (int i = 0; i < chains; ++i) together.chain(given.iterations);
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

// 41 472 cells.
TEST(AirfoilInChains, sends_a_quarter_of_the_messages) {
  const Session session({"OP2_CHAIN_DEPTH=8", "OP2_DECLARE=replicated", "OP2_TIMING=on"});
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

} // namespace
