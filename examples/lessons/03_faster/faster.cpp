// faster.cpp: the flow of lesson 2, with several steps in a chain.
//
//   faster [wedge.su2 [steps [steps in a chain [processes.vtkhdf]]]]
#include <cmath>
#include <cstdlib>
#include <op2/op2.hpp>
#include <optional>
#include <string>

#include "../02_shock/shock.hpp"

// For the picture: the process that owns a cell.
static void own(const double *process, double *owner) { *owner = *process; }

static void write_owners(const Shock &flow, const std::string &file) {
  const op2::dat<double, 1> owner(flow.cells, nullptr, "owner");
  int rank = 0;
  op_rank(&rank);
  const double process = rank;
  op_par_loop(own, "own", flow.cells, op2::gbl_read(&process), op2::write(owner));
  op2::view(flow.x, "wedge").cells(flow.cell_nodes, OP_CELL_QUADRILATERAL).field(owner).write(file);
}

int main(int argc, char **argv) {
  const op2::context library(argc, argv);
  op2::mesh_file mesh(argc > 1 ? argv[1] : "wedge.su2");
  const int steps = argc > 2 ? std::atoi(argv[2]) : 400, together = argc > 3 ? std::atoi(argv[3]) : 1;
  mesh.declare();
  Shock flow(mesh);

  const double mass = flow.mass();
  op_timing_reset(); // the table begins here
  for (int step = 0; step < steps;) {
    std::optional<op2::chain> chain;
    if (together > 1) chain.emplace("steps");
    for (int k = 0; k < together && step < steps; ++k, ++step) flow.step();
  } // the end of the chain: its loops run
  op_timing_output();

  const double lost = std::abs(flow.mass() + flow.mass_left() - mass - steps * flow.dt * gas * mach) / mass;
  op_printf("pressure on the ramp %.6f, mass lost: %s\n", flow.mean_pressure_on_ramp(), lost < 1e-10 ? "none" : "some");
  if (argc > 4) write_owners(flow, argv[4]);
  op_printf("%s\n", lost < 1e-10 ? "PASSED" : "FAILED");
  return lost < 1e-10 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
