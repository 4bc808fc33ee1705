// multigrid_euler.cpp: compressible flow through a channel with a bump, steady after few cycles over three meshes.
//
// Checked: on every mesh a free stream stays one, to rounding. Three meshes bring the residual down faster than one by
// a factor, with as many steps on the finest one, and to the same flow. What flows in flows out, and the entropy, which
// is the same everywhere in a flow without shocks and friction, is so the more the finer the mesh is.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <op2/compat.h>
#include "command_line.hpp"
#include "multigrid_solver.hpp"
#include "verdict.hpp"

namespace {

constexpr char usage[] =
    "usage: multigrid_euler [n] [--part free|race|steady|all] [--levels L] [--cycles C] [--view file] [--output file]\n"
    "Compressible flow through a channel with a bump, on several meshes at once.\n"
    "  n              the finest mesh has 6*n*n triangles, n at least 10; 16 when not given\n"
    "  --part         free: a free stream stays; race: several meshes against one; steady: to the end; all when not "
    "given\n"
    "  --levels L     so many meshes, 3 to 6, each with about a quarter of the cells; 3 when not given\n"
    "  --cycles C     at most so many until the flow is steady, with one mesh ten times as many; 1000 when not given\n"
    "  --view file    write the flow, as .vtkhdf or .xdmf, for pictures\n"
    "  --output file  write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

struct Options {
  int n = 16, levels = 3, cycles = 1000;
  std::string part = "all", view, output;
};

// What kernels may read besides their arguments. The free stream has Mach number 0.5 and flows upwards by some degrees.
void set_constants(double degrees, bool walls) {
  const double mach = 0.5, angle = degrees * std::acos(-1.0) / 180;
  heat_ratio = 1.4;
  courant = 1.5;
  open_walls = walls ? 0 : 1;
  far_state[0] = far_flow[0] = 1;
  far_state[1] = far_flow[1] = mach * std::cos(angle);
  far_state[2] = far_flow[2] = mach * std::sin(angle);
  far_flow[3] = 1 / heat_ratio;
  far_state[3] = far_flow[3] / (heat_ratio - 1) + 0.5 * mach * mach;
  op2::constant("heat_ratio", heat_ratio);
  op2::constant("courant", courant);
  op2::constant("open_walls", open_walls);
  op2::constant("far_state", far_state);
  op2::constant("far_flow", far_flow);
}

class Checks {
 public:
  explicit Checks(const Options &options) : options_(options), mesh_(multigrid::make_channel(options.n)) {}

  example::Verdict verdict;

  // With the free stream around all of the channel, bump or not.
  void keep_free_stream() {
    multigrid::Solver solver(grids(options_.levels));
    op_printf("free stream\n");
    set_constants(20, false);
    solver.begin_free_stream();
    for (multigrid::Level &level : solver.levels) {
      op_printf("  %lld cells, %lld faces\n", level.cells.global_size(), level.faces.global_size());
      verdict.require("imbalance", solver.largest_imbalance(level), 0, 1e-14);
    }
    for (int n = 0; n < 5; ++n) solver.cycle();
    for (multigrid::Level &level : solver.levels)
      verdict.require("difference after five cycles", solver.largest_difference(level), 0, 1e-13);
    verdict.require("mean error of the entropy", solver.mean_entropy_error(), 0, 1e-13);
    verdict.require("mass that stays, relative to what enters", solver.out_to_in() - 1, -1e-13, 1e-13);
  }

  void flow_through() {
    set_constants(0, true);
    multigrid::Solver several(grids(options_.levels)), one(grids(1));
    several.begin_free_stream();
    one.begin_free_stream();
    race(several, one);
    if (options_.part == "race") return;
    const int cycles = finish("all meshes", several, options_.cycles);
    const int cycles_of_one = finish("one mesh", one, 10 * options_.cycles);
    verdict.require("one mesh needs more steps, times", static_cast<double>(cycles_of_one) / cycles, 4, 100);
    compare(several, one);
    if (!options_.view.empty()) write_view(several.levels[0]);
    const double entropy = several.mean_entropy_error();
    const triangles::Mesh coarse_mesh = multigrid::make_channel(options_.n / 2);
    multigrid::Solver coarse(multigrid::make_grids(coarse_mesh, options_.levels));
    coarse.begin_free_stream();
    finish("all meshes, with half of n", coarse, options_.cycles);
    verdict.require("mean error of the entropy", entropy, 0, 0.025 / options_.n);
    verdict.require("its order", std::log2(coarse.mean_entropy_error() / entropy), 0.4, 1.5);
  }

 private:
  static constexpr double small = 1e-8; // residual of a steady flow, relative to that of the free stream

  [[nodiscard]] std::vector<multigrid::Grid> grids(int levels) const { return multigrid::make_grids(mesh_, levels); }

  // As many steps on the finest mesh for both.
  void race(multigrid::Solver &several, multigrid::Solver &one) {
    op_printf("residual, relative to the first\n");
    constexpr int cycles = 40;
    for (int n = 0; n < cycles; ++n) {
      several.cycle();
      one.cycle();
      if (n == 0) first_ = one.residual;
      if (n % 10 == 0 || n + 1 == cycles)
        op_printf("  %3d steps: %.3e with %zu meshes, %.3e with one\n", 2 * n, several.residual / first_,
                  several.levels.size(), one.residual / first_);
    }
    verdict.require("one mesh has more, times", one.residual / several.residual, 100.0 / options_.n, 1e9);
  }

  // To the steady flow. Returns the number of cycles.
  int finish(const char *what, multigrid::Solver &solver, int most) {
    int cycles = 0;
    do solver.cycle();
    while (++cycles < most && solver.residual > small * first_);
    op_printf("%s: steady after %d cycles\n", what, cycles);
    verdict.require("residual, relative to the first", solver.residual / first_, 0, small);
    verdict.require("mass that stays, relative to what enters", solver.out_to_in() - 1, -small, small);
    return cycles;
  }

  void compare(const multigrid::Solver &several, const multigrid::Solver &one) {
    const std::vector<double> state = several.levels[0].state.fetch_own(), other = one.levels[0].state.fetch_own();
    double most = 0; // all rows are on the process that declared them
    for (std::size_t n = 0; n < state.size(); ++n) most = std::max(most, std::fabs(state[n] - other[n]));
    const op2::set processes(1, "processes");
    const op2::dat<double, 1> largest(processes, &most, "largest");
    for (const double value : largest.fetch_range(0, op_comm_size() - 1)) most = std::max(most, value);
    verdict.require("largest difference between the flows", most, 0, 10 * small);
  }

  void write_view(const multigrid::Level &level) {
    const bool here = op_is_root() != 0;
    const op2::set nodes(here ? mesh_.nnode : 0, "nodes");
    const op2::map cell_nodes(level.cells, nodes, 3, mesh_.cell_nodes.data(), "cell_nodes");
    const op2::dat<double, 2> x(nodes, mesh_.x.data(), "x");
    const op2::dat<double, 1> pressure(level.cells, nullptr, "pressure"), mach(level.cells, nullptr, "mach");
    op_par_loop(appearance, "appearance", level.cells, op2::read(level.state), op2::write(pressure), op2::write(mach));
    op2::view view(x, "channel");
    view.cells(cell_nodes, OP_CELL_TRIANGLE).field(pressure).field(mach).write(options_.view);
  }

  Options options_;
  triangles::Mesh mesh_;
  double first_ = 1; // residual
};

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

int solve(const Options &options) {
  op_printf("multigrid_euler with %s\n", op_backend());
  const double start = seconds();
  Checks checks(options);
  if (options.part == "free" || options.part == "all") checks.keep_free_stream();
  if (options.part != "free") checks.flow_through();
  op_timing_output();
  op_printf("%.3f s\n", seconds() - start);
  if (!example::write_table(options.output)) return example::error;
  op_printf("This test is considered %s\n", checks.verdict.good ? "PASSED" : "FAILED");
  return checks.verdict.good ? example::passed : example::failed;
}

bool parse(int argc, char **argv, Options &options, example::CommandLine &line) {
  if (!line.parse(argc, argv, {{"n", &options.n, 10, 512}},
                  {{"--part", nullptr, 0, 0, &options.part},
                   {"--levels", &options.levels, 3, 6},
                   {"--cycles", &options.cycles, 1, 1000000},
                   {"--view", nullptr, 0, 0, &options.view},
                   {"--output", nullptr, 0, 0, &options.output}}))
    return false;
  if (options.part != "free" && options.part != "race" && options.part != "steady" && options.part != "all")
    return line.complain("--part needs free, race, steady or all, not ", options.part);
  if (!options.output.empty() && !example::is_table(options.output))
    return line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("multigrid_euler", usage);
    Options options;
    return parse(argc, argv, options, line) ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "multigrid_euler: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
