// box_parts.hpp: flows in a box, each with a known answer, that hold on meshes of any kind.
#ifndef OP2_EXAMPLES_BOX_PARTS_HPP
#define OP2_EXAMPLES_BOX_PARTS_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "euler_solver.hpp"
#include "verdict.hpp"

namespace euler {

// The parts on one mesh; each prints what it finds and says whether that is right.
class BoxParts {
 public:
  // n: small cubes in each direction; order: of the parts that may have slopes.
  BoxParts(const poly::Mesh &mesh, int n, int order) : solver(Mesh(mesh)), n_(n), order_(order) {}

  Solver solver;
  example::Verdict verdict;

  // The same everywhere: whatever the faces are, what flows into a cell flows out.
  void keep_free_stream() {
    begin("free", {0.5, 20, -30, 0, 0, {}, order_});
    solver.step(false);
    verdict.require("largest residual", solver.largest(), 0, 1e-13);
    for (int n = 1; n < 10; ++n) solver.step(false);
    verdict.require("difference from the free stream", solver.totals().difference, 0, 1e-12);
  }

  // Nothing passes the walls.
  void keep_everything() {
    begin("closed", {0, 0, 0, 2, 2, std::vector<int>(6, WALL), order_});
    const Totals first = solver.totals();
    double time = 0;
    for (int n = 0; n < 20; ++n, time += solver.time_step()) solver.step(true);
    const Totals last = solver.totals();
    op_printf("  time %.6f, volume %.15f, smallest %.3e\n", time, last.volume, solver.smallest_volume());
    verdict.require("volume, difference from 1", last.volume - 1, -1e-13, 1e-13);
    verdict.require("mass, relative change", last.state[0] / first.state[0] - 1, -1e-13, 1e-13);
    verdict.require("energy, relative change", last.state[4] / first.state[4] - 1, -1e-13, 1e-13);
    verdict.require("largest difference, so that there is something to lose", last.difference, 1e-2, 1e2);
  }

  // All of mass, momentum and energy that is there no more has left.
  void account_for_everything() {
    begin("open", {0.6, 10, 20, 1, 1, {WALL, FAR_FIELD, WALL, FAR_FIELD, SYMMETRY, FAR_FIELD}, order_});
    const Totals first = solver.totals();
    std::array<double, 5> lost = {};
    for (int n = 0; n < 20; ++n) {
      solver.step(true);
      const double time_step = solver.time_step();
      const std::array<double, 5> leaving = solver.leaving();
      for (std::size_t i = 0; i < 5; ++i) lost[i] += time_step * leaving[i];
    }
    const Totals last = solver.totals();
    double largest = 0, unexplained = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      largest = std::fmax(largest, std::fabs(lost[i]));
      unexplained = std::fmax(unexplained, std::fabs(last.state[i] + lost[i] - first.state[i]));
    }
    verdict.require("left", largest, 1e-2, 1e2);
    verdict.require("unexplained", unexplained, 0, 1e-13);
  }

  // The steady state is the free stream. With slopes tetrahedra take long: little damps what is between two cells.
  void calm_down() {
    begin("channel", {0.5, 0, 0, 0.2, 0.2, {FAR_FIELD, FAR_FIELD, WALL, WALL, SYMMETRY, SYMMETRY}, order_});
    solver.step(false);
    const double first = solver.residual();
    const double factor = order_ == 1 ? 1e8 : 1e2;
    const int most = order_ == 1 ? 1000 : 300 + 15 * n_ * n_;
    int steps = 1;
    while (++steps < most && solver.residual() * factor > first) solver.step(false);
    op_printf("  residual %.6e at first, %.6e after %d steps\n", first, solver.residual(), steps);
    verdict.require("residual, relative to the first", solver.residual() / first, 0, 1 / factor);
    if (order_ == 2) return;
    verdict.require("difference from the free stream", solver.totals().difference, 0, 1e-6);
    const std::array<double, 3> force = solver.force();
    for (std::size_t i = 1; i < 3; ++i) verdict.require("force on opposite walls", force[i], -1e-8, 1e-8);
  }

  // The stream comes down on a wall at ten degrees: the pressure behind the shock that starts at the wall's edge.
  void turn_by_shock() {
    begin("wedge", {2, -10, 0, 0, 0, {FAR_FIELD, FAR_FIELD, WALL, FAR_FIELD, SYMMETRY, SYMMETRY}});
    for (int n = 0; n < 20 * n_; ++n) solver.step(false);
    constexpr double exact = 1.7066; // relation of the oblique shock for Mach 2 and 10 degrees
    op_printf("  residual %.3e\n", solver.residual());
    verdict.require("pressure on the wall, relative to the exact one", -solver.force()[1] / far_flow[4] / exact,
                    1 - 2.0 / (n_ * n_), 1.02);
  }

  // A warm spot drifts with the stream. Slopes must make the error smaller.
  void carry_spot() {
    std::array<double, 2> error{};
    for (const int order : {1, 2}) {
      begin("spot", {0.5, 20, 20, 0.2, 0, {}, order});
      double time = 0;
      for (; time < 0.4; time += solver.time_step()) solver.step(true);
      error[static_cast<std::size_t>(order - 1)] = solver.spot_error_after(time);
      op_printf("  order %d, time %.6f, error %.6e\n", order, time, error[static_cast<std::size_t>(order - 1)]);
    }
    verdict.require("error with slopes, relative to that without", error[1] / error[0], 0, 0.9);
  }

 private:
  void begin(const char *part, const Case &what) {
    op_printf("%s\n", part);
    solver.begin(what);
  }

  int n_, order_;
};

} // namespace euler

#endif

// SPDX-License-Identifier: MIT
