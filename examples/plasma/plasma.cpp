// plasma.cpp: a cold plasma that swings, by particle in cell on a mesh of triangles.
//
// Electrons are drawn aside by up to a tenth of the box and let go. Each swings about its place of rest in the angular
// frequency 1, whatever its amplitude, as long as none overtakes another (J. M. Dawson, Phys. Rev. 113 (1959) 383), so
// that places and energies are known at any time. Run on two meshes: errors must fall as stated.
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include <op2/compat.h>
#include "command_line.hpp"
#include "plasma_solver.hpp"
#include "verdict.hpp"

namespace {

constexpr char usage[] =
    "usage: plasma [n] [--each K] [--steps N] [--jiggle P] [--view file] [--output file]\n"
    "A cold plasma of electrons and resting ions swings in a box; compared with what is known about it.\n"
    "  n              the mesh has 2*n*n triangles, n at least 8; 16 when not given. Also run with 2*n\n"
    "  --each K       K*K electrons in each triangle, K at least 2; 3 when not given\n"
    "  --steps N      time steps of each of two periods, at least 50; 100 when not given\n"
    "  --jiggle P     move the nodes inside by up to P percent of the size of a cell, 0 to 30; 20 when not given\n"
    "  --view file    write potential, charge and force at the end, as .vtkhdf or .xdmf, for pictures\n"
    "  --output file  write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

struct Options {
  int n = 16, each = 3, steps = 100, jiggle = 20;
  std::string view, output;
};

const double pi = std::acos(-1.0);

// What is found in two periods, each the most of all times: energies relative to the largest of the field, the swing to
// its amplitude, charge to that of the ions.
struct Found {
  double swing_error = 0, field_error = 0, energy_change = 0, charge = 0;
  double lost = 0; // electrons
};

Found swing_with(int n, const Options &options) {
  plasma::Solver solver(triangles::make_mesh({n, n, 0, 1, 0, 1, options.jiggle}), options.each);
  const op_gindex electrons = solver.electrons.global_size();
  op_printf("%lld triangles, %lld electrons\n", solver.cells.global_size(), electrons);
  const double dt = 2 * pi / options.steps, most = 0.25 * swing * swing;
  Found found;
  double first = 0; // energy
  solver.start(dt);
  for (int step = 0;; ++step) {
    const double known = most * std::pow(std::cos(solver.time), 2), all = solver.field + solver.motion;
    if (step == 0) first = all;
    found.field_error = std::fmax(found.field_error, std::fabs(solver.field - known) / most);
    found.energy_change = std::fmax(found.energy_change, std::fabs(all - first) / most);
    found.charge = std::fmax(found.charge, std::fabs(solver.charge_left));
    found.swing_error = std::fmax(found.swing_error, std::fabs(solver.swinging() - std::cos(solver.time)));
    if (8 * step % options.steps == 0)
      op_printf("  time %.3f: energy of the field %.6e, known %.6e; of motion %.6e\n", solver.time, solver.field, known,
                solver.motion);
    if (step == 2 * options.steps) break;
    solver.step(dt);
  }
  found.lost = static_cast<double>(electrons - solver.electrons.global_size());
  op_printf("  %lld rounds of moves, %lld products of conjugate gradients\n", solver.rounds, solver.products);
  if (!options.view.empty()) solver.write_view(options.view);
  return found;
}

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

int solve(const Options &options) {
  op_printf("plasma with %s\n", op_backend());
  const double start = seconds();
  swing = 0.1;
  op2::constant("swing", swing);
  const Found coarse = swing_with(options.n, options), fine = swing_with(2 * options.n, options);
  op_timing_output();
  op_printf("%.3f s\n", seconds() - start);
  if (!example::write_table(options.output)) return example::error;
  example::Verdict verdict;
  // The errors in space fall with the square of n; that of the leapfrog, about 19/steps^2, stays. So the order in n can
  // be seen only where the latter is small beside what is allowed for space.
  const double square = 4.0 * options.n * options.n; // of the fine mesh's n
  const double in_time = 25.0 / options.steps / options.steps;
  const auto compare = [&](const char *what, double on_coarse, double on_fine, double in_space) {
    verdict.require(what, on_fine, 0, in_space + in_time);
    if (in_time <= 0.5 * in_space) verdict.require("its order", std::log2(on_coarse / on_fine), 1.3, 4);
  };
  compare("error of the swing", coarse.swing_error, fine.swing_error, 24 / square);
  compare("error of the field's energy", coarse.field_error, fine.field_error, 12 / square);
  verdict.require("change of all energy", std::fmax(coarse.energy_change, fine.energy_change), 0,
                  8.0 / options.steps / options.steps);
  verdict.require("charge of ions and electrons together", std::fmax(coarse.charge, fine.charge), 0, 1e-13);
  verdict.require("electrons that were lost", coarse.lost + fine.lost, 0, 0);
  op_printf("This test is considered %s\n", verdict.good ? "PASSED" : "FAILED");
  return verdict.good ? example::passed : example::failed;
}

bool parse(int argc, char **argv, Options &options, example::CommandLine &line) {
  if (!line.parse(argc, argv, {{"n", &options.n, 8, 256}},
                  {{"--each", &options.each, 2, 30},
                   {"--steps", &options.steps, 50, 100000},
                   {"--jiggle", &options.jiggle, 0, 30},
                   {"--view", nullptr, 0, 0, &options.view},
                   {"--output", nullptr, 0, 0, &options.output}}))
    return false;
  if (!options.output.empty() && !example::is_table(options.output))
    return line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("plasma", usage);
    Options options;
    return parse(argc, argv, options, line) ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "plasma: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
