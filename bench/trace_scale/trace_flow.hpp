// trace_flow.hpp: the mesh and velocity of the study: the ABC flow in a cube of tetrahedra.
#ifndef OP2_BENCH_TRACE_FLOW_HPP
#define OP2_BENCH_TRACE_FLOW_HPP

#include <cstdint>
#include <memory>
#include <vector>

#include "streamline/streamline.hpp"

namespace trace_scale {

using op2::core::streamline::Cells;
using op2::core::streamline::Field;
using op2::core::streamline::Locator;
using op2::core::streamline::Options;
using op2::core::streamline::Vector;

// All of it in one process. Not copied: its pieces refer to each other.
struct Flow {
  explicit Flow(int edge); // edge: small cubes along an edge, of six tetrahedra each
  Flow(const Flow &) = delete;
  Flow &operator=(const Flow &) = delete;

  double length; // of the edge of a small cube
  std::vector<double> x, velocity;
  std::unique_ptr<Cells> cells;
  std::unique_ptr<Locator> locator;
  std::unique_ptr<Field> field;
};

// Steps of a fifth of a small cube's edge where the flow is fastest; lines end after so many, or where they leave the
// cube.
Options options_for(const Flow &flow, long most_steps);

// At random, the same ones each time.
std::vector<Vector> random_seeds(int count);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
