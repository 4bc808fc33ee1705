// flow.hpp: a flow through a mesh from a file, steady after some time, and what must hold for it on the way.
#ifndef OP2_EXAMPLES_FLOW_HPP
#define OP2_EXAMPLES_FLOW_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <op2/op2.hpp>
#include <string>
#include <utility>
#include <vector>

#include "euler_solver.hpp"
#include "flow_lines.hpp"
#include "verdict.hpp"

namespace euler {

class Flow {
 public:
  Flow(const Mesh &mesh, Case what) : solver(mesh), what_(std::move(what)) {}

  Solver solver;
  example::Verdict verdict;

  // With the free stream outside of all of the boundary it stays one, whatever the cells look like.
  void keep_free_stream() {
    op_printf("free stream\n");
    solver.begin({what_.mach, 20, -30, 0, 0, {}, what_.order});
    solver.step(false);
    verdict.require("largest residual", solver.largest(), 0, 1e-12);
    for (int n = 1; n < 5; ++n) solver.step(false);
    verdict.require("difference from the free stream", solver.totals().difference, 0, 1e-11);
  }

  // The stream hits a closed box from inside: its walls take the momentum, nothing else.
  void keep_everything() {
    op_printf("closed box\n");
    solver.begin({what_.mach, 20, -30, 0, 0, std::vector<int>(PATCHES + 1, WALL), what_.order});
    verdict.require("mass and energy, relative change", largest_change(5), 0, 1e-13);
    verdict.require("largest change of a state, so that there is something to lose", solver.totals().difference, 0.1,
                    1e2);
  }

  // Changes of the first steps have left through the boundary.
  void account_for_everything() {
    op_printf("start of the flow\n");
    solver.begin(what_);
    verdict.require("mass, momentum, energy, unexplained relative change", largest_change(5), 0, 1e-13);
  }

  // To the steady state, until the residual has become smaller by a factor.
  void settle(int steps, double factor, FlowLines *lines = nullptr) {
    op_printf("flow at Mach %g, angle %g\n", what_.mach, what_.alpha);
    solver.begin(what_);
    double first = 0;
    int n = 0;
    do {
      solver.step(false);
      if (n++ == 0) first = solver.residual();
      if (n % 100 == 0 || n == 1) report(n, first);
      if (lines) lines->look(n, solver.state);
    } while (n < steps && solver.residual() * factor > first);
    report(n, first);
    verdict.require("residual, relative to the first", solver.residual() / first, 0, 1 / factor);
  }

  // The boundary with what stands before it, for pictures.
  void write_view(const std::string &file) {
    const Mesh &mesh = solver.mesh;
    const int corners = mesh.bface_nodes.dim();
    const op2::dat<double, 1> pressure(mesh.bfaces, nullptr, "cp"), mach(mesh.bfaces, nullptr, "mach");
    op_par_loop(appearance, "appearance", mesh.bfaces, op2::read(solver.state, 0, mesh.bface_cells),
                op2::write(pressure), op2::write(mach));
    op2::view view(mesh.x, "boundary");
    view.cells(mesh.bface_nodes, corners == 3   ? OP_CELL_TRIANGLE
                                 : corners == 4 ? OP_CELL_QUADRILATERAL
                                                : OP_CELL_POLYGON);
    view.field(pressure).field(mach).field(mesh.patch, "patch").write(file);
  }

 private:
  // What is neither there any more nor has left, relative to all there is. Each change has the size of its own unit.
  double largest_change(int steps) {
    const Totals first = solver.totals();
    std::array<double, 5> lost = {};
    for (int n = 0; n < steps; ++n) {
      solver.step(true);
      const double time_step = solver.time_step();
      const std::array<double, 5> leaving = solver.leaving();
      for (std::size_t i = 0; i < 5; ++i) lost[i] += time_step * leaving[i];
    }
    const Totals last = solver.totals();
    op_printf("  mass %.15g, volume %.15g, smallest cell %.4g, largest change of a state %.3g\n", last.state[0],
              last.volume, solver.smallest_volume(), last.difference);
    double out = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double all = i == 0 || i == 4 ? first.state[i] : first.state[0];
      out = std::fmax(out, std::fabs(last.state[i] + lost[i] - first.state[i]) / all);
    }
    return out;
  }

  void report(int step, double first) const {
    const double pressure = 0.5 * what_.mach * what_.mach; // of the free stream's velocity
    const auto along = direction(what_);
    const double degrees = std::acos(-1.0) / 180, a = what_.alpha * degrees;
    const std::array<double, 3> up = {-std::sin(a), std::cos(a), 0};
    const std::array<double, 3> force = solver.force();
    double drag = 0, lift = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      drag += force[i] * along[i] / pressure;
      lift += force[i] * up[i] / pressure;
    }
    op_printf("  step %5d: residual %.4e of the first %.4e, lift %+.6f, drag %+.6f\n", step, solver.residual() / first,
              first, lift, drag);
  }

  Case what_;
};

} // namespace euler

#endif

// SPDX-License-Identifier: MIT
