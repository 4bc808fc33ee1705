// repartition_test.cpp: op_repartition() and OP2_REBALANCE on a mesh through which the work moves: balance, what moves
// along, the same bits, and times. Jobs of 4 processes.
#include <gtest/gtest.h>
#include <op2/chain.h>
#include <op2/global.h>
#include <op2/particles.h>
#include <op2/partition.h>
#include <op2/op2.hpp>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "whole_session.hpp"

namespace {

// While positive, the monotonic clock of the process, in ns: what kernels say that they take, and 20 ns for each call.
// A clock of the machine measures other programs, too.
std::atomic<long long> kernel_ns = 0;

struct KernelClock {
  KernelClock() { kernel_ns = 1'000'000'000'000'000; }
  ~KernelClock() { kernel_ns = 0; }
};

} // namespace

// The library calls this function in place of the system's.
extern "C" int clock_gettime(clockid_t clock, timespec *out) noexcept {
  if (clock != CLOCK_MONOTONIC || kernel_ns == 0) return static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  const long long ns = kernel_ns += 20;
  out->tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  out->tv_nsec = static_cast<long>(ns % 1'000'000'000);
  return 0;
}

namespace {

using whole::Session;

constexpr int across = 48, along = 32, cells_in_all = across * along, rounds = 24;
const char *const four = "the work is that of 4 processes";

// A front that crosses the mesh, to the right or up: near it, cells are 30 times the work.
bool upward = false;
double work_at(int cell, int round) {
  const double length = upward ? along : across, place = upward ? cell / across : cell % across;
  const double front = 4 + (length - 8) * round / rounds, far = (place - front) / 2;
  return 1 + 30 * std::exp(-far * far);
}

void step(const double *a, const double *b, double *left, double *right) {
  *left += 0.3 * (*b - *a);
  *right += 0.7 * (*a - *b);
}
void end_step(double *q, double *sum, double *total) {
  *q += 0.1 * *sum;
  *sum = 0;
  *total += *q;
}
// Takes 60 us near the front, by the clock of the tests of measured time.
constexpr double waits_from = 8;
void wait_near(const double *work, double *q) {
  if (*work > waits_from) kernel_ns += 60'000;
  *q += 1;
}
void own(const int *rank, int *owner) { *owner = *rank; }
void hop(const double *q, const long long *beside, long long *next, double *seen) {
  *seen += *q;
  *next = *q < 0.5 ? OP_PARTICLE_ARRIVED : beside[0];
}
void lay(const double *seen, double *sum) { *sum += 1e-3 * *seen; }

struct Field {
  op_set cells = op_decl_set(cells_in_all, "cells"), edges = nullptr, nodes = nullptr, ions = nullptr;
  op_map ends = nullptr, corners = nullptr, first_corners = nullptr;
  op_dat q = nullptr, sum = nullptr, work = nullptr, owner = nullptr, x = nullptr, beside = nullptr, seen = nullptr;
  op_global total = nullptr;

  Field() {
    std::vector<int> edge, corner;
    std::vector<double> start, at;
    std::vector<long long> next;
    for (int n = 0; n < cells_in_all; ++n) {
      const int i = n % across, j = n / across, node = j * (across + 1) + i;
      if (i + 1 < across) edge.insert(edge.end(), {n, n + 1});
      if (j + 1 < along) edge.insert(edge.end(), {n, n + across});
      corner.insert(corner.end(), {node, node + 1, node + across + 2, node + across + 1});
      start.push_back(std::fmod(0.37 * n, 1.0));
      next.push_back((n * 7LL + 5) % cells_in_all); // anywhere
    }
    for (int j = 0; j <= along; ++j)
      for (int i = 0; i <= across; ++i) at.insert(at.end(), {1.0 * i, 1.0 * j});
    edges = op_decl_set(static_cast<int>(edge.size() / 2), "edges");
    nodes = op_decl_set(static_cast<int>(at.size() / 2), "nodes");
    ends = op_decl_map(edges, cells, 2, edge.data(), "ends");
    corners = op_decl_map(cells, nodes, 4, corner.data(), "corners");
    q = op_decl_dat(cells, 1, "double", start.data(), "q");
    sum = op_decl_dat(cells, 1, "double", static_cast<double *>(nullptr), "sum");
    work = op_decl_dat(cells, 1, "double", static_cast<double *>(nullptr), "work");
    owner = op_decl_dat(cells, 1, "int", static_cast<int *>(nullptr), "owner");
    x = op_decl_dat(nodes, 2, "double", at.data(), "x");
    beside = op_decl_dat(cells, 1, "ll", next.data(), "beside");
    total = op_decl_global(1, "double", nullptr, "total");
  }
  void add_ions(int rank) {
    ions = op_decl_particles(cells, "ions");
    seen = op_decl_dat(ions, 1, "double", static_cast<double *>(nullptr), "seen");
    std::vector<op_gindex> at;
    for (int n = 0; n < cells_in_all && rank == 0; n += 5) at.push_back(n);
    EXPECT_EQ(op_add_particles(ions, static_cast<op_index>(at.size()), at.data(), 0, nullptr), OP_OK)
        << op_last_error();
  }
  void flow() const {
    EXPECT_EQ(op_par_loop(step, "step", edges, op_arg_dat(q, 0, ends, 1, "double", OP_READ),
                          op_arg_dat(q, 1, ends, 1, "double", OP_READ), op_arg_dat(sum, 0, ends, 1, "double", OP_INC),
                          op_arg_dat(sum, 1, ends, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
    EXPECT_EQ(op_par_loop(end_step, "end_step", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                          op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW), op_arg_global(total, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
  }
  void fly() const {
    const op_map in = op_particle_cell(ions);
    op_par_loop(hop, "hop", ions, op_arg_dat(q, 0, in, 1, "double", OP_READ),
                op_arg_dat(beside, 0, in, 1, "ll", OP_READ),
                op_arg_dat(op_particle_next(ions), -1, OP_ID, 1, "ll", OP_WRITE),
                op_arg_dat(seen, -1, OP_ID, 1, "double", OP_RW));
    while (op_move_particles(ions) > 0) {
      const auto stay = [](long long *next) { *next = OP_PARTICLE_ARRIVED; };
      op_par_loop(stay, "stay", ions, op_arg_dat(op_particle_next(ions), -1, OP_ID, 1, "ll", OP_WRITE));
    }
    EXPECT_EQ(op_par_loop(lay, "lay", ions, op_arg_dat(seen, -1, OP_ID, 1, "double", OP_READ),
                          op_arg_dat(sum, 0, in, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
  }
  std::vector<double> values() const {
    std::vector<double> out(cells_in_all + 1);
    EXPECT_EQ(op_fetch_data_all(q, out.data()), OP_OK) << op_last_error();
    EXPECT_EQ(op_fetch_global(total, &out.back()), OP_OK) << op_last_error();
    return out;
  }
  void put_work(int round) const {
    std::vector<double> values(cells_in_all);
    for (int n = 0; n < cells_in_all; ++n) values[static_cast<std::size_t>(n)] = work_at(n, round);
    EXPECT_EQ(op_put_data_all(work, values.data()), OP_OK) << op_last_error();
  }
  // The work of each process.
  std::vector<double> loads(int rank, int processes, int round, bool waits = false) const {
    EXPECT_EQ(op_par_loop(own, "own", cells, op_arg_gbl(&rank, 1, "int", OP_READ),
                          op_arg_dat(owner, -1, OP_ID, 1, "int", OP_WRITE)),
              OP_OK)
        << op_last_error();
    std::vector<int> owners(cells_in_all);
    EXPECT_EQ(op_fetch_data_all(owner, owners.data()), OP_OK) << op_last_error();
    std::vector<double> out(static_cast<std::size_t>(processes), 0.0);
    for (int n = 0; n < cells_in_all; ++n) {
      const double work = work_at(n, round);
      out[static_cast<std::size_t>(owners[static_cast<std::size_t>(n)])] += waits ? work > waits_from : work;
    }
    return out;
  }
};

double largest(const std::vector<double> &loads) { return *std::max_element(loads.begin(), loads.end()); }
double imbalance(const std::vector<double> &loads) {
  double sum = 0;
  for (const double load : loads) sum += load;
  return largest(loads) * static_cast<double>(loads.size()) / sum;
}

op_repartition_result again(const Field &field, bool by_weights, bool by_points, bool always = true) {
  op_repartition_result result{};
  op_repartition_params params = OP_REPARTITION_PARAMS;
  params.weights = by_weights ? field.work : nullptr;
  params.coordinates = by_points ? field.x : nullptr;
  params.always = always;
  params.result = &result;
  EXPECT_EQ(op_repartition(&params), OP_OK) << op_last_error();
  return result;
}

// By points of another set along a map, by the graph, and by borders of blocks.
class GivenWork : public testing::TestWithParam<const char *> {};

TEST_P(GivenWork, is_balanced_wherever_it_moves) {
  const std::string how = GetParam();
  upward = how == "blocks"; // which are rows of cells
  const Session session({"OP2_DECLARE=replicated", "OP2_JIT=off", how == "blocks" ? "OP2_PARTITION=off" : ""});
  if (session.processes != 4) GTEST_SKIP() << four;
  const Field field;
  field.flow(); // divides the mesh
  std::vector<double> standing, moving;
  double stands = 0, moves = 0, rows = 0;
  for (int round = 0; round < rounds; ++round) stands += largest(field.loads(session.rank, 4, round));
  for (int round = 0; round < rounds; ++round) {
    field.put_work(round);
    const double before = imbalance(field.loads(session.rank, 4, round));
    const op_repartition_result result = again(field, true, how == "points");
    const std::vector<double> loads = field.loads(session.rank, 4, round);
    EXPECT_NEAR(result.imbalance_before, before, 1e-3);
    EXPECT_NEAR(result.imbalance_after, imbalance(loads), 1e-3);
    EXPECT_LE(imbalance(loads), 1.1) << "in round " << round;
    moves += largest(loads);
    rows += static_cast<double>(result.rows);
    field.flow();
  }
  EXPECT_LE(moves, 0.7 * stands);
  const int all = cells_in_all + static_cast<int>(op_get_size(field.edges) + op_get_size(field.nodes));
  EXPECT_LE(rows / rounds, 0.35 * all); // others stay
  upward = false;
  if (session.rank == 0)
    std::printf("%s: %.3f of the static division, %.0f rows in a move\n", how.c_str(), moves / stands, rows / rounds);
}
INSTANTIATE_TEST_SUITE_P(Repartition, GivenWork, testing::Values("points", "graph", "blocks"),
                         [](const auto &info) { return std::string(info.param); });

// 50 times, between loops, chains and moves of particles.
std::vector<double> reproducible_run(bool moves, double &rows) {
  const Session session({"OP2_DECLARE=replicated", "OP2_REPRODUCIBLE=1", "OP2_JIT=off"});
  Field field;
  field.first_corners = op_map_compose(field.ends, field.corners, "first_corners");
  field.add_ions(session.rank);
  for (int round = 0; round < 50; ++round) {
    field.fly();
    if (round % 2) op_chain_begin("steps");
    field.flow();
    field.flow();
    if (round % 2) op_chain_end();
    const auto lift = [](const double *a, const double *b, double *out) { *out += 1e-3 * (*a - *b); };
    EXPECT_EQ(op_par_loop(lift, "lift", field.edges, op_arg_dat(field.x, 1, field.first_corners, 2, "double", OP_READ),
                          op_arg_dat(field.x, 6, field.first_corners, 2, "double", OP_READ),
                          op_arg_dat(field.sum, 0, field.ends, 1, "double", OP_INC)),
              OP_OK)
        << op_last_error();
    if (!moves) continue;
    field.put_work(round % rounds);
    rows += static_cast<double>(again(field, true, round % 3 > 0).rows);
  }
  return field.values();
}

TEST(Repartition, leaves_the_bits_of_a_run_without_it) {
  double rows = 0, none = 0;
  const std::vector<double> moved = reproducible_run(true, rows), stays = reproducible_run(false, none);
  EXPECT_EQ(moved, stays);
  EXPECT_GT(rows, 50 * 10);
}

void run_measured(const Field &field, int times) {
  for (int n = 0; n < times; ++n)
    EXPECT_EQ(op_par_loop(wait_near, "wait_near", field.cells, op_arg_dat(field.work, -1, OP_ID, 1, "double", OP_READ),
                          op_arg_dat(field.q, -1, OP_ID, 1, "double", OP_RW)),
              OP_OK)
        << op_last_error();
}

TEST(Repartition, balances_measured_time) {
  const Session session({"OP2_DECLARE=replicated", "OP2_JIT=off"});
  if (session.processes != 4) GTEST_SKIP() << four;
  const KernelClock clock;
  const Field field;
  field.put_work(0); // at the left
  run_measured(field, 4);
  op_repartition_result result = again(field, false, true);
  EXPECT_GT(result.imbalance_before, 1.5);
  EXPECT_EQ(result.moved, 1);
  // The first division knows the time of each process only; the next ones know that of pieces, ever better.
  for (int n = 0; n < 8; ++n) {
    if (n % 2) op_chain_begin("waits");
    run_measured(field, 6);
    field.flow();
    run_measured(field, 6);
    if (n % 2) op_chain_end();
    result = again(field, false, true);
    EXPECT_LE(result.imbalance_after, 1.1);
    if (session.rank == 0) std::printf("division %d: %.3f\n", n, result.imbalance_before);
  }
  EXPECT_LE(result.imbalance_before, 1.1); // of what was measured since the move before
}

TEST(Repartition, comes_by_itself_when_it_pays) {
  const Session session({"OP2_DECLARE=replicated", "OP2_JIT=off", "OP2_PARTITION=off", "OP2_REBALANCE=auto"});
  if (session.processes != 4) GTEST_SKIP() << four;
  upward = true;
  const KernelClock clock;
  const Field field;
  field.put_work(rounds / 2);
  const auto waits = [&] { return imbalance(field.loads(session.rank, 4, rounds / 2, true)); };
  run_measured(field, 1);
  EXPECT_GE(waits(), 2); // in the middle of blocks
  for (int n = 0; n < 20 && waits() > 1.1; ++n) run_measured(field, 25);
  EXPECT_LE(waits(), 1.1);
  upward = false;
  const std::string json = whole::written_by(op_timings_to_json, session.rank);
  EXPECT_EQ(json.find("\"repartition\": {\"calls\": ") != std::string::npos, session.rank == 0) << json;
}

TEST(Repartition, leaves_rows_where_a_move_does_not_pay) {
  const Session session({"OP2_DECLARE=replicated", "OP2_JIT=off"});
  if (session.processes != 4) GTEST_SKIP() << four;
  const Field field;
  field.put_work(0);
  field.flow();
  const op_repartition_result result = again(field, true, true, false);
  EXPECT_EQ(result.moved, 0);
  EXPECT_EQ(result.rows, 0);
  EXPECT_GT(result.imbalance_before, 1.2);
  EXPECT_EQ(result.imbalance_before, result.imbalance_after);
}

TEST(Repartition, refuses_what_makes_no_sense_and_changes_nothing) {
  const Session session({"OP2_DECLARE=replicated", "OP2_JIT=off", "OP2_TIMING=off", "OP2_LOG=error"});
  if (session.processes != 4) GTEST_SKIP() << four;
  const Field field;
  field.flow();
  const std::vector<double> before = field.values();
  op_repartition_params params = OP_REPARTITION_PARAMS;
  EXPECT_EQ(op_repartition(&params), OP_ERR_UNSUPPORTED) << op_last_error(); // nobody measures times
  params.weights = field.work;
  EXPECT_EQ(op_repartition(&params), OP_ERR_ARGUMENT) << op_last_error(); // no element has any
  std::vector<double> wrong(cells_in_all, 1.0);
  wrong[7] = -1;
  op_put_data_all(field.work, wrong.data());
  EXPECT_EQ(op_repartition(&params), OP_ERR_ARGUMENT) << op_last_error();
  EXPECT_NE(std::string(op_last_error()).find("element 7"), std::string::npos) << op_last_error();
  field.put_work(0);
  params.weights = session.rank == 0 ? field.work : field.q;
  EXPECT_EQ(op_repartition(&params), OP_ERR_STATE) << op_last_error(); // not the same everywhere
  const std::vector<double> ones(static_cast<std::size_t>(op_get_size(field.edges)), 1.0);
  params.weights = op_decl_dat(field.edges, 1, "double", ones.data(), "ones");
  params.coordinates = field.x; // no map leads from edges to nodes
  EXPECT_EQ(op_repartition(&params), OP_ERR_SET) << op_last_error();
  EXPECT_EQ(field.values(), before);
  params.weights = field.work;
  EXPECT_EQ(op_repartition(&params), OP_OK) << op_last_error(); // without times: as the weights say
  EXPECT_LE(imbalance(field.loads(session.rank, 4, 0)), 1.1);
}

} // namespace
// SPDX-License-Identifier: MIT
