// flame.cpp: a flame runs through a channel, and the work with it: near the front, cells take many short steps.
//
// u_t = D (u_xx + u_yy) + k u (1 - u) (u - a) has a front of known shape that runs at a known speed (J. Nagumo, S.
// Arimoto, S. Yoshizawa, Proc. IRE 50 (1962) 2061). Each cell takes as many steps of the reaction as it needs for the
// same change in each, and counts them. By these counts the processes share the mesh again and again.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <op2/compat.h>
#include <op2/partition.h>
#include <op2/op2.hpp>
#include "command_line.hpp"
#include "verdict.hpp"

namespace {

constexpr char usage[] =
    "usage: flame [n] [--steps N] [--every K] [--view file]\n"
    "A flame runs through a channel; its speed is compared with the known one, the work with that of fixed parts.\n"
    "  n             the channel has 10*n x n cells, n at least 8; 16 when not given\n"
    "  --steps N     time steps, at least 100; 2600 when not given\n"
    "  --every K     steps between two calls of op_repartition(), 0 = never; 50 when not given\n"
    "  --view file   write who owned which cells when, as .vtkhdf or .xdmf: x along the channel, time upwards\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_REBALANCE=auto.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

struct Options {
  int n = 16, steps = 2600, every = 50;
  std::string view;
};

constexpr int length = 10, most_processes = 64;
constexpr double a = 0.1, k = 1;
constexpr double dt = 0.04 / k; // of a step: three quarters of what diffusion allows
double width;                   // of the front: three cells

double front_at(double x) { return 1 / (1 + std::exp(x / width)); }

void flow(const double *u_left, const double *u_right, double *sum_left, double *sum_right) {
  *sum_left += *u_right - *u_left;
  *sum_right += *u_left - *u_right;
}

// spread: D dt / h^2. The change of u in each short step is about the same everywhere.
void burn(const double *spread, const double *step, double *sum, double *u, double *work, double *burnt) {
  const double most = 4e-5;
  *u += *spread * *sum;
  *sum = 0;
  const int times = 1 + static_cast<int>(std::fabs(*step * *u * (1 - *u) * (*u - 0.1)) / most);
  const double part = *step / times;
  for (int i = 0; i < times; ++i) *u += part * *u * (1 - *u) * (*u - 0.1);
  *work = times;
  *burnt += *u;
}

// The work of each process, and what it would be if the first one to own a cell still did.
void weigh(const int *rank, const double *work, const int *first, int *owner, double *now, double *then) {
  *owner = *rank;
  now[*rank] += *work;
  then[*first] += *work;
}
void remember(const int *rank, int *first) { *first = *rank; }

class Channel {
 public:
  explicit Channel(int n) : n_(n), across_(length * n) {
    std::vector<int> sides, corner;
    std::vector<double> start, middle, x;
    for (int c = 0; c < across_ * n; ++c) {
      const int i = c % across_, j = c / across_, node = j * (across_ + 1) + i;
      if (i + 1 < across_) sides.insert(sides.end(), {c, c + 1});
      if (j + 1 < n) sides.insert(sides.end(), {c, c + across_});
      corner.insert(corner.end(), {node, node + 1, node + across_ + 2, node + across_ + 1});
      start.push_back(front_at((i + 0.5) / n - 0.1 * length));
    }
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= across_; ++i) x.insert(x.end(), {1.0 * i / n, 1.0 * j / n});
    cells_ = op_decl_set(across_ * n, "cells");
    sides_ = op_decl_set(static_cast<int>(sides.size() / 2), "sides");
    nodes_ = op_decl_set(static_cast<int>(x.size() / 2), "nodes");
    side_cells_ = op_decl_map(sides_, cells_, 2, sides.data(), "side_cells");
    corners_ = op_decl_map(cells_, nodes_, 4, corner.data(), "corners");
    x_ = op_decl_dat(nodes_, 2, "double", x.data(), "x");
    u_ = op_decl_dat(cells_, 1, "double", start.data(), "u");
    sum_ = op_decl_dat(cells_, 1, "double", static_cast<double *>(nullptr), "sum");
    work_ = op_decl_dat(cells_, 1, "double", static_cast<double *>(nullptr), "work");
    first_ = op_decl_dat(cells_, 1, "int", static_cast<int *>(nullptr), "first");
    owner_ = op_decl_dat(cells_, 1, "int", static_cast<int *>(nullptr), "owner");
    op_rank(&rank_);
    op_par_loop(remember, "remember", cells_, op_arg_gbl(&rank_, 1, "int", OP_READ),
                op_arg_dat(first_, -1, OP_ID, 1, "int", OP_WRITE));
  }
  // Returns how far the flame has come.
  double step() {
    const double h = 1.0 / n_, spread = 0.5 * k * width * width * dt / (h * h);
    double burnt = 0;
    op_par_loop(flow, "flow", sides_, op_arg_dat(u_, 0, side_cells_, 1, "double", OP_READ),
                op_arg_dat(u_, 1, side_cells_, 1, "double", OP_READ),
                op_arg_dat(sum_, 0, side_cells_, 1, "double", OP_INC),
                op_arg_dat(sum_, 1, side_cells_, 1, "double", OP_INC));
    op_par_loop(burn, "burn", cells_, op_arg_gbl(&spread, 1, "double", OP_READ), op_arg_gbl(&dt, 1, "double", OP_READ),
                op_arg_dat(sum_, -1, OP_ID, 1, "double", OP_RW), op_arg_dat(u_, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(work_, -1, OP_ID, 1, "double", OP_WRITE), op_arg_gbl(&burnt, 1, "double", OP_INC));
    return burnt * h * h;
  }
  // Adds the work of the slowest process, by now and by fixed parts.
  void weigh_work(double &by_now, double &by_fixed) {
    std::vector<double> now(most_processes, 0.0), then(most_processes, 0.0);
    op_par_loop(weigh, "weigh", cells_, op_arg_gbl(&rank_, 1, "int", OP_READ),
                op_arg_dat(work_, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(first_, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(owner_, -1, OP_ID, 1, "int", OP_WRITE),
                op_arg_gbl(now.data(), most_processes, "double", OP_INC),
                op_arg_gbl(then.data(), most_processes, "double", OP_INC));
    by_now += *std::max_element(now.begin(), now.end());
    by_fixed += *std::max_element(then.begin(), then.end());
  }
  op_repartition_result balance() {
    op_repartition_result done{};
    op_repartition_params params = OP_REPARTITION_PARAMS;
    params.weights = work_;
    params.coordinates = x_;
    params.always = 1; // so that the owners do not depend on the clock
    params.result = &done;
    op2::check(op_repartition(&params));
    return done;
  }
  // Appends the owners of the cells in the middle of the channel.
  void note_owners(std::vector<int> &history) {
    std::vector<int> owners(static_cast<std::size_t>(across_) * n_);
    op2::check(op_fetch_data_all(owner_, owners.data()));
    const auto row = owners.begin() + static_cast<std::ptrdiff_t>(n_ / 2) * across_;
    history.insert(history.end(), row, row + across_);
  }
  int across() const { return across_; }

 private:
  int n_, across_, rank_ = 0;
  op_set cells_, sides_, nodes_;
  op_map side_cells_, corners_;
  op_dat x_, u_, sum_, work_, first_, owner_;
};

// A mesh of its own, of cells of the channel and times.
void write_history(const std::vector<int> &history, int across, const std::string &file) {
  const int rows = static_cast<int>(history.size()) / across;
  std::vector<int> corner;
  std::vector<double> x;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < across; ++i) {
      const int node = j * (across + 1) + i;
      corner.insert(corner.end(), {node, node + 1, node + across + 2, node + across + 1});
    }
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= across; ++i) x.insert(x.end(), {1.0 * length * i / across, 0.5 * length * j / rows});
  const op_set cells = op_decl_set(rows * across, "history_cells"),
               nodes = op_decl_set((rows + 1) * (across + 1), "times");
  const op_map corners = op_decl_map(cells, nodes, 4, corner.data(), "history_corners");
  const op_dat places = op_decl_dat(nodes, 2, "double", x.data(), "places");
  const op_dat process = op_decl_dat(cells, 1, "int", history.data(), "process");
  op2::view(places, "owners").cells(corners, OP_CELL_QUADRILATERAL).field(process).write(file.c_str());
}

int solve(const Options &options) {
  const int processes = op_comm_size();
  op_printf("flame with %s\n", op_backend());
  if (processes > most_processes) {
    op_printf("flame: there are %d processes; it knows up to %d\n", processes, most_processes);
    return example::error;
  }
  width = 3.0 / options.n;
  const double way = 0.5 * k * width * (1 - 2 * a) * dt * options.steps;
  Channel channel(options.n);
  std::vector<int> history;
  double first = 0, last = 0, by_now = 0, by_fixed = 0, rows = 0, worst = 1;
  int moves = 0;
  for (int step = 1; step <= options.steps; ++step) {
    last = channel.step();
    if (step == 1) first = last;
    if (step % 20 == 0) {
      channel.weigh_work(by_now, by_fixed);
      if (!options.view.empty()) channel.note_owners(history);
    }
    if (options.every == 0 || step % options.every != 0) continue;
    const op_repartition_result done = channel.balance();
    moves += done.moved;
    rows += static_cast<double>(done.rows);
    worst = std::max(worst, done.imbalance_after);
  }
  const double ran = (last - first) * options.steps / (options.steps - 1);
  if (options.every > 0 && processes > 1)
    op_printf("%d moves of %.0f rows each; work of the slowest process: %.3f of that with fixed parts\n", moves,
              rows / std::max(moves, 1), by_now / by_fixed);
  if (!options.view.empty()) write_history(history, channel.across(), options.view);
  op_timing_output();
  example::Verdict verdict;
  verdict.require("way of the flame to the known one", ran / way, 0.95, 1.05);
  if (options.every > 0 && processes > 1) {
    verdict.require("worst imbalance after a move", worst, 1, 1.1);
    verdict.require("work of the slowest process to that with fixed parts", by_now / by_fixed, 0, 0.7);
  }
  op_printf("This test is considered %s\n", verdict.good ? "PASSED" : "FAILED");
  return verdict.good ? example::passed : example::failed;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("flame", usage);
    Options options;
    const bool runs = line.parse(argc, argv, {{"n", &options.n, 8, 256}},
                                 {{"--steps", &options.steps, 100, 1000000},
                                  {"--every", &options.every, 0, 1000000},
                                  {"--view", nullptr, 0, 0, &options.view}});
    return runs ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "flame: %s\n", error.what());
    return example::error;
  }
}
// SPDX-License-Identifier: MIT
