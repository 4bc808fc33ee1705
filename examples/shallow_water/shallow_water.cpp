// shallow_water.cpp: water over land on a mesh of triangles: a finite volume method of second order that keeps water at
// rest as it is, loses none, and lets ground fall dry and become wet.
//
// Four parts with known answers. `lake`: water at rest around an island. `wave`: a standing wave. `dam`: a dam breaks,
// with water behind it and without. `basin`: water runs around in a bowl. The last three are run on two meshes, and the
// error must fall as stated.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include <op2/compat.h>
#include "command_line.hpp"
#include "shallow_solver.hpp"
#include "verdict.hpp"

namespace {

constexpr char usage[] =
    "usage: shallow_water [n] [--part lake|wave|dam|basin|all] [--jiggle P] [--view file] [--output file]\n"
    "Shallow water on meshes of triangles, compared with what is known about it.\n"
    "  n              lake and wave have 2*n*n triangles, dam and basin about 4*n*n, n at least 5; 16 when not\n"
    "                 given. All but the lake also run with 2*n\n"
    "  --part         lake: stays at rest; wave: stands; dam: breaks; basin: the water runs around; all when not\n"
    "                 given\n"
    "  --jiggle P     move the nodes inside by up to P percent of the size of a cell, 0 to 30; 20 when not given\n"
    "  --view file    write the water at the end of the last run, as .vtkhdf or .xdmf, for pictures\n"
    "  --output file  write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

struct Options {
  int n = 16, jiggle = 20;
  std::string part = "all", view, output;
};

// What kernels may read besides their arguments.
void set_constants() {
  gravity = 9.81;
  dry = 1e-6;
  courant = 0.4; // 1/2, less what signals may gain in speed between the two stages
  smooth = 0.01;
  lake_level = 0.5;
  basin_depth = 0.1;
  basin_offset = 0.5;
  basin_angular = std::sqrt(2 * gravity * basin_depth);
  op2::constant("gravity", gravity);
  op2::constant("dry", dry);
  op2::constant("courant", courant);
  op2::constant("smooth", smooth);
  wave_depth = 1;
  wave_height = 1e-4;
  wave_angular = std::acos(-1.0) * std::sqrt(2 * gravity * wave_depth);
  op2::constant("lake_level", lake_level);
  op2::constant("wave_depth", wave_depth);
  op2::constant("wave_height", wave_height);
  op2::constant("wave_angular", wave_angular);
  op2::constant("basin_depth", basin_depth);
  op2::constant("basin_offset", basin_offset);
  op2::constant("basin_angular", basin_angular);
}

// The water between the two waves of a dam break, from the depth on both sides: a wave runs into the high water, a
// front into the low one, and both give the water between them the same velocity (Stoker). On dry ground there is no
// front but the end of the wave (Ritter).
void set_dam(double high, double low) {
  const double c = std::sqrt(gravity * high);
  dam_high = high;
  dam_low = low;
  double least = low, most = high; // bisection for the depth
  for (int n = 0; n < 100 && low > 0; ++n) {
    dam_depth = 0.5 * (least + most);
    const double wave = 2 * (c - std::sqrt(gravity * dam_depth));
    const double front = (dam_depth - low) * std::sqrt(0.5 * gravity * (dam_depth + low) / (dam_depth * low));
    (wave > front ? least : most) = dam_depth;
  }
  if (low <= 0) dam_depth = 0;
  dam_velocity = 2 * (c - std::sqrt(gravity * dam_depth));
  dam_shock = low > 0 ? dam_depth * dam_velocity / (dam_depth - low) : dam_velocity;
  op2::constant("dam_high", dam_high);
  op2::constant("dam_low", dam_low);
  op2::constant("dam_depth", dam_depth);
  op2::constant("dam_velocity", dam_velocity);
  op2::constant("dam_shock", dam_shock);
}

// Errors of a run: mean difference in depth and in momentum, relative to what there is.
struct Error {
  double depth = 0, momentum = 0;
};

// The parts in a row; each prints what it finds and says whether that is right.
class Parts {
 public:
  explicit Parts(const Options &options) : options_(options) {}

  example::Verdict verdict;

  void keep_lake() {
    shallow::Solver solver(triangles::make_mesh({options_.n, options_.n, 0, 1, 0, 1, options_.jiggle}));
    op_par_loop(begin_lake, "begin_lake", solver.cells, op2::read(solver.centre), op2::write(solver.state),
                op2::write(solver.bottom));
    run("lake", solver, 0.5);
    double surface = 0, momentum = 0, dry_area = 0;
    op_par_loop(lake_error, "lake_error", solver.cells, op2::read(solver.area), op2::read(solver.state),
                op2::read(solver.bottom), op2::gbl_max(&surface), op2::gbl_max(&momentum), op2::gbl_inc(&dry_area));
    op2::check(op_last_status());
    verdict.require("dry area of the island", dry_area, 0.01, 0.2);
    verdict.require("largest change of the surface", surface, 0, 1e-13);
    verdict.require("largest momentum", momentum, 0, 1e-13);
  }

  // Smooth, and thus of second order.
  void stand_wave() {
    const double time = 1.75 * std::acos(-1.0) / wave_angular; // where both depth and momentum are not zero
    const auto error_on = [&](int n) {
      Error error;
      shallow::Solver solver(triangles::make_mesh({n, n, 0, 1, 0, 1, options_.jiggle}));
      op_par_loop(begin_wave, "begin_wave", solver.cells, op2::read(solver.centre), op2::write(solver.state),
                  op2::write(solver.bottom));
      run("wave", solver, time);
      op_par_loop(wave_error, "wave_error", solver.cells, op2::read(solver.centre), op2::read(solver.area),
                  op2::read(solver.state), op2::gbl_read(&time), op2::gbl_inc(&error.depth),
                  op2::gbl_inc(&error.momentum));
      return relative(error, 1, 1);
    };
    const Error coarse = error_on(options_.n), fine = error_on(2 * options_.n);
    const double square = static_cast<double>(options_.n) * options_.n;
    compare(coarse, fine, {0.2 / square, 1.2 / square}, 1.6);
  }

  void break_dam() {
    break_dam("dam, water behind", 0.1);
    break_dam("dam, dry behind", 0);
  }

  void turn_basin() {
    const double time = std::acos(-1.0) / basin_angular; // half of a round
    const auto error_on = [&](int n) {
      Error error;
      shallow::Solver solver(triangles::make_mesh({3 * n / 2, 3 * n / 2, -1.6, 1.6, -1.6, 1.6, options_.jiggle}));
      op_par_loop(begin_basin, "begin_basin", solver.cells, op2::read(solver.centre), op2::write(solver.state),
                  op2::write(solver.bottom));
      run("basin", solver, time);
      op_par_loop(basin_error, "basin_error", solver.cells, op2::read(solver.centre), op2::read(solver.area),
                  op2::read(solver.state), op2::gbl_read(&time), op2::gbl_inc(&error.depth),
                  op2::gbl_inc(&error.momentum));
      return relative(error, solver.water, basin_angular * basin_offset);
    };
    const Error coarse = error_on(options_.n), fine = error_on(2 * options_.n);
    compare(coarse, fine, {0.7 / options_.n, 1.4 / options_.n}, 0.9);
  }

 private:
  void break_dam(const char *what, double low) {
    const double time = 0.06;
    set_dam(1, low);
    const auto error_on = [&](int n) {
      Error error;
      shallow::Solver solver(triangles::make_mesh({4 * n, n / 2, 0, 1, 0, 0.125, options_.jiggle}));
      op_par_loop(begin_dam, "begin_dam", solver.cells, op2::read(solver.centre), op2::write(solver.state),
                  op2::write(solver.bottom));
      run(what, solver, time);
      op_par_loop(dam_error, "dam_error", solver.cells, op2::read(solver.centre), op2::read(solver.area),
                  op2::read(solver.state), op2::gbl_read(&time), op2::gbl_inc(&error.depth),
                  op2::gbl_inc(&error.momentum));
      return relative(error, solver.water, std::sqrt(gravity * dam_high));
    };
    const Error coarse = error_on(options_.n), fine = error_on(2 * options_.n);
    compare(coarse, fine, {0.12 / options_.n, 0.12 / options_.n}, 0.4);
  }

  static Error relative(const Error &error, double water, double velocity) {
    op2::check(op_last_status());
    const Error out = {error.depth / water, error.momentum / (water * velocity)};
    op_printf("  error of the depth %.6e, of the momentum %.6e\n", out.depth, out.momentum);
    return out;
  }

  // Whatever the flow: no water is lost, and there is no less than none anywhere.
  void run(const char *what, shallow::Solver &solver, double end) {
    op_printf("%s on %lld triangles\n", what, solver.cells.global_size());
    solver.run(end);
    if (!options_.view.empty()) solver.write_view(options_.view);
    op_printf("  %d steps, the smallest %.3e\n", solver.steps, solver.smallest);
    verdict.require("relative change of the volume", solver.water / solver.first_water - 1, -1e-13, 1e-13);
    verdict.require("least depth", solver.least, -1e-15, 1);
  }

  // bound: of the fine mesh's errors. Jumps and shores are of first order at best, whatever the order elsewhere.
  void compare(const Error &coarse, const Error &fine, const Error &bound, double order) {
    verdict.require("error of the depth", fine.depth, 0, bound.depth);
    verdict.require("error of the momentum", fine.momentum, 0, bound.momentum);
    verdict.require("order of the depth", std::log2(coarse.depth / fine.depth), order, 3);
    verdict.require("order of the momentum", std::log2(coarse.momentum / fine.momentum), order, 3);
  }

  Options options_;
};

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

int solve(const Options &options) {
  op_printf("shallow_water with %s\n", op_backend());
  const double start = seconds();
  set_constants();
  Parts parts(options);
  const auto wanted = [&](const char *part) { return options.part == part || options.part == "all"; };
  if (wanted("lake")) parts.keep_lake();
  if (wanted("wave")) parts.stand_wave();
  if (wanted("dam")) parts.break_dam();
  if (wanted("basin")) parts.turn_basin();
  op_timing_output();
  op_printf("%.3f s\n", seconds() - start);
  if (!example::write_table(options.output)) return example::error;
  op_printf("This test is considered %s\n", parts.verdict.good ? "PASSED" : "FAILED");
  return parts.verdict.good ? example::passed : example::failed;
}

bool parse(int argc, char **argv, Options &options, example::CommandLine &line) {
  if (!line.parse(argc, argv, {{"n", &options.n, 5, 512}},
                  {{"--part", nullptr, 0, 0, &options.part},
                   {"--jiggle", &options.jiggle, 0, 30},
                   {"--view", nullptr, 0, 0, &options.view},
                   {"--output", nullptr, 0, 0, &options.output}}))
    return false;
  if (options.part != "lake" && options.part != "wave" && options.part != "dam" && options.part != "basin" &&
      options.part != "all")
    return line.complain("--part needs lake, wave, dam, basin or all, not ", options.part);
  if (!options.output.empty() && !example::is_table(options.output))
    return line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("shallow_water", usage);
    Options options;
    return parse(argc, argv, options, line) ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "shallow_water: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
