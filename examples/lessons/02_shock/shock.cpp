// shock.cpp: air at three times the speed of sound meets a wedge of 15 degrees, and makes a shock.
//
//   shock [wedge.su2 [shock.vtkhdf]]     reads the mesh, writes the pressure
#include <cmath>
#include <op2/op2.hpp>

#include "shock.hpp"

// The pressure behind a straight shock that turns the flow by this angle, in that of the inlet. The angle of the shock
// is the one between Mach's and 60 degrees that fits.
static double known_pressure(double angle) {
  double low = std::asin(1 / mach), high = std::acos(0.5);
  while (high - low > 1e-12) {
    const double shock = (low + high) / 2, s = mach * std::sin(shock);
    const double turn = std::atan(2 / std::tan(shock) * (s * s - 1) / (mach * mach * (gas + std::cos(2 * shock)) + 2));
    (turn < angle ? low : high) = shock;
  }
  const double s = mach * std::sin(low);
  return 1 + 2 * gas / (gas + 1) * (s * s - 1);
}

int main(int argc, char **argv) {
  const op2::context library(argc, argv);

  op2::mesh_file mesh(argc > 1 ? argv[1] : "wedge.su2");
  mesh.declare();
  Shock flow(mesh);

  const double mass = flow.mass();
  int steps = 0;
  for (double time = 0; time < 2; time += flow.dt, ++steps) flow.step();
  op_printf("%d cells, %d steps\n", static_cast<int>(flow.cells.global_size()), steps);

  const double lost = std::abs(flow.mass() + flow.mass_left() - mass - steps * flow.dt * gas * mach) / mass;
  const double pressure = flow.mean_pressure_on_ramp(), known = known_pressure(std::atan(1.0) / 3);
  op_printf("pressure on the ramp %.3f, known %.3f\n", pressure, known);
  op_printf("mass lost: %s\n", lost < 1e-10 ? "none" : "some");
  if (argc > 2) flow.write(argv[2]);

  const bool good = std::abs(pressure / known - 1) < 0.02 && lost < 1e-10;
  op_printf("%s\n", good ? "PASSED" : "FAILED");
  return good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
