// aero.cpp: compressible potential flow around a NACA 0012 profile by finite elements.
#include <op2/compat.h>
#include <op2/partition.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "aero_kernels.h"
#include "command_line.hpp"
#include "naca_mesh.hpp"

namespace {

constexpr char usage[] =
    "usage: aero [I J] [--iterations N] [--result file] [--output file]\n"
    "Solve the compressible potential flow around a NACA 0012 profile and compare the changes with the published "
    "ones.\n"
    "  I J             the mesh has 3*I*J cells; 400 600 when not given, the mesh of the published values\n"
    "  --iterations N  outer iterations, 20 when not given; each assembles and solves one linear system\n"
    "  --result file   write a line `x y phi` for each node\n"
    "  --output file   write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed or nothing to compare with, 1 failed, 2 wrong usage or a file that cannot be used.\n";

struct Options {
  int I = 400, J = 600, iterations = 20;
  std::string result, output;
};

// The mesh and the data on it. With several processes the first one declares everything.
class Aero {
 public:
  explicit Aero(const naca::FemMesh &mesh) : Aero(mesh, op_is_root() != 0) {}

  // One outer iteration: assemble, solve, correct the potential. Returns the sum of the squares of the corrections.
  // Loops between two sums that are asked for may run together.
  double step(int &inner_iterations) {
    const op2::chain step("step");
    op_par_loop(res_calc, "res_calc", cells, op2::read(x, 0, cell_nodes), op2::read(x, 1, cell_nodes),
                op2::read(x, 2, cell_nodes), op2::read(x, 3, cell_nodes), op2::read(phi, 0, cell_nodes),
                op2::read(phi, 1, cell_nodes), op2::read(phi, 2, cell_nodes), op2::read(phi, 3, cell_nodes),
                op2::write(K), op2::inc(res, 0, cell_nodes), op2::inc(res, 1, cell_nodes), op2::inc(res, 2, cell_nodes),
                op2::inc(res, 3, cell_nodes));
    op_par_loop(dirichlet, "dirichlet", boundary, op2::write(res, 0, boundary_node));
    inner_iterations = conjugate_gradients();

    square.put(0);
    op_par_loop(update, "update", nodes, op2::rw(phi), op2::rw(res), op2::read(u), op2::gbl_inc(square));
    op2::check(op_last_status());
    return square.fetch();
  }

  [[nodiscard]] op_gindex node_count() const { return nodes.global_size(); }
  [[nodiscard]] std::vector<double> potential() const { return phi.fetch_own(); }

 private:
  Aero(const naca::FemMesh &mesh, bool here)
      : nodes(here ? mesh.nnode : 0, "nodes"),
        boundary(here ? mesh.nbnode : 0, "boundary"),
        cells(here ? mesh.ncell : 0, "cells"),
        cell_nodes(cells, nodes, 4, mesh.cell_nodes.data(), "cell_nodes"),
        boundary_node(boundary, nodes, 1, mesh.boundary.data(), "boundary_node"),
        x(nodes, mesh.x.data(), "x"),
        phi(nodes, free_stream(mesh).data(), "phi"),
        res(nodes, nullptr, "res"),
        u(nodes, nullptr, "u"),
        v(nodes, nullptr, "v"),
        p(nodes, nullptr, "p"),
        K(cells, nullptr, "K") {
    op_partition("AUTO", "", cells, cell_nodes, x);
  }

  static std::vector<double> free_stream(const naca::FemMesh &mesh) {
    std::vector<double> values(static_cast<std::size_t>(mesh.nnode));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = minf * mesh.x[2 * n];
    return values;
  }

  // K u = res, until the residual has fallen to a tenth or the patience ends. Returns the number of iterations.
  int conjugate_gradients() {
    constexpr int most = 200;
    constexpr double reduction = 0.1;
    product.put(0);
    op_par_loop(init_cg, "init_cg", nodes, op2::read(res), op2::gbl_inc(product), op2::write(u), op2::write(v),
                op2::write(p));
    double rr = product.fetch(); // r . r
    const double first = std::sqrt(rr);
    int iteration = 0;
    for (; iteration < most && std::sqrt(rr) > reduction * first; ++iteration) {
      op_par_loop(spMV, "spMV", cells, op2::inc(v, op2::all<4>, cell_nodes), op2::read(K),
                  op2::read(p, op2::all<4>, cell_nodes));
      op_par_loop(dirichlet, "dirichlet", boundary, op2::write(v, 0, boundary_node));
      product.put(0);
      op_par_loop(dotPV, "dotPV", nodes, op2::read(p), op2::read(v), op2::gbl_inc(product));
      const double alpha = rr / product.fetch();
      op_par_loop(updateUR, "updateUR", nodes, op2::rw(u), op2::rw(res), op2::read(p), op2::rw(v),
                  op2::gbl_read(&alpha));
      product.put(0);
      op_par_loop(dotR, "dotR", nodes, op2::read(res), op2::gbl_inc(product));
      const double next = product.fetch();
      const double beta = next / rr;
      op_par_loop(updateP, "updateP", nodes, op2::read(res), op2::rw(p), op2::gbl_read(&beta));
      op2::check(op_last_status());
      rr = next;
    }
    return iteration;
  }

  op2::set nodes, boundary, cells;
  op2::map cell_nodes, boundary_node;
  op2::dat<double, 2> x;
  op2::dat<double, 1> phi, res, u, v, p; // potential; residual; unknowns, K p and direction of conjugate gradients
  op2::dat<double, 16> K;
  op2::global<double> product{"product"}, square{"square"}; // of two vectors; sum of the squares of the corrections
};

// What kernels may read besides their arguments.
void declare_constants() {
  aero_constants();
  op2::constant("gam", gam);
  op2::constant("gm1", gm1);
  op2::constant("gm1i", gm1i);
  op2::constant("minf", minf);
  op2::constant("m2", m2);
  op2::constant("weight", weight);
  op2::constant("shape_xi", shape_xi);
  op2::constant("shape_eta", shape_eta);
}

// Root mean squares of the changes. Those of the mesh 400 600 are published; rounding moves the twentieth by 0.01 %.
// The others are what executor seq gives with the program's own code (OP2_JIT=off) on the meshes of the tests. Rounding
// in another order moves the first two by less than 1e-13. Conjugate gradients magnify it: the fourth moves by 1e-11,
// the fifth by 1e-10. What is allowed is a hundred times that.
struct Known {
  int I, J, iteration;
  double rms, tolerance; // relative
};
constexpr std::array known_changes = {
    Known{400, 600, 1, 5.49361991417737e-04, 1e-9},   Known{400, 600, 2, 1.82276588231059e-04, 1e-9},
    Known{400, 600, 20, 5.644214176463586e-07, 2e-4}, Known{40, 60, 1, 6.232445641841737e-04, 1e-11},
    Known{40, 60, 2, 2.218765114669466e-04, 1e-11},   Known{40, 60, 4, 5.598333318192665e-06, 1e-9},
    Known{24, 36, 1, 6.368769420696067e-04, 1e-11},   Known{24, 36, 2, 2.218032079239438e-04, 1e-11},
    Known{24, 36, 5, 3.217706385208119e-08, 1e-8}};

int verdict(const Options &options, const std::vector<double> &rms) {
  int compared = 0;
  bool good = std::all_of(rms.begin(), rms.end(), [](double value) { return std::isfinite(value); });
  if (!good) op_printf("The rms is not a number\n");
  for (const Known &known : known_changes) {
    const auto n = static_cast<std::size_t>(known.iteration);
    if (options.I != known.I || options.J != known.J || n > rms.size()) continue;
    const double difference = std::fabs(rms[n - 1] / known.rms - 1.0);
    op_printf("The known rms after iteration %d is %.14e; the difference is %.2e, allowed %.0e\n", known.iteration,
              known.rms, difference, known.tolerance);
    good = difference <= known.tolerance && good; // false for a rms that is not a number
    ++compared;
  }
  if (good && compared == 0) {
    op_printf("There is no rms to compare with for the mesh %d %d\n", options.I, options.J);
    return example::passed;
  }
  op_printf("This test is considered %s\n", good ? "PASSED" : "FAILED");
  return good ? example::passed : example::failed;
}

// One line per node; doubles are written so that they can be read back exactly.
bool write_result(const std::string &name, const naca::FemMesh &mesh, const std::vector<double> &phi) {
  if (name.empty() || phi.empty()) return true;
  std::FILE *file = std::fopen(name.c_str(), "w");
  if (!file) return false;
  for (std::size_t n = 0; n < phi.size(); ++n)
    std::fprintf(file, "%.6f %.6f %.17g\n", mesh.x[2 * n], mesh.x[2 * n + 1], phi[n]);
  const bool good = std::ferror(file) == 0;
  return std::fclose(file) == 0 && good;
}

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

int solve(const Options &options) {
  const naca::FemMesh mesh = naca::make_fem_mesh(options.I, options.J);
  op_printf("aero with %s: %d nodes, %d cells, %d nodes in the far field\n", op_backend(), mesh.nnode, mesh.ncell,
            mesh.nbnode);
  declare_constants();
  Aero aero(mesh);
  std::vector<double> rms;
  const double start = seconds();
  for (int iteration = 1; iteration <= options.iterations; ++iteration) {
    int inner = 0;
    rms.push_back(std::sqrt(aero.step(inner) / static_cast<double>(aero.node_count())));
    op_printf(" %d  rms %.15e, %d inner iterations\n", iteration, rms.back(), inner);
  }
  const double elapsed = seconds() - start;
  op_timing_output();
  op_printf("%d iterations in %.3f s, %.3f ms each\n", options.iterations, elapsed, 1e3 * elapsed / options.iterations);
  if (!example::write_table(options.output)) return example::error;
  if (!write_result(options.result, mesh, aero.potential())) {
    std::fprintf(stderr, "aero: cannot write %s\n", options.result.c_str());
    return example::error;
  }
  return verdict(options, rms);
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine command_line("aero", usage);
    Options options;
    if (!command_line.parse(argc, argv, {{"I", &options.I, 2, 20000}, {"J", &options.J, 2, 20000}},
                            {{"--iterations", &options.iterations, 1, 1000000},
                             {"--result", nullptr, 0, 0, &options.result},
                             {"--output", nullptr, 0, 0, &options.output}}))
      return command_line.exit_code();
    if (!options.output.empty() && !example::is_table(options.output)) {
      command_line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
      return example::error;
    }
    return solve(options);
  } catch (const std::exception &error) { // a mesh that is too large; with OP2_ERROR=return also the library's errors
    std::fprintf(stderr, "aero: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
