// trace_flow.cpp: see trace_flow.hpp.
#include "trace_scale/trace_flow.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace trace_scale {

namespace {

constexpr double period = 2 * std::numbers::pi;

// T. Dombre et al., Chaotic streamlines in the ABC flows, J. Fluid Mech. 167 (1986) 353, with the factors they take.
// Some lines stay in vortices for ever, others wander through the whole cube, so the work is as uneven as it is in
// practice.
Vector abc(const Vector &x) {
  const double a = std::sqrt(3.0), b = std::sqrt(2.0), c = 1;
  return {a * std::sin(x[2]) + c * std::cos(x[1]), b * std::sin(x[0]) + a * std::cos(x[2]),
          c * std::sin(x[1]) + b * std::cos(x[0])};
}

} // namespace

Flow::Flow(int edge) : length(period / edge) {
  const int nodes = edge + 1;
  for (int k = 0; k < nodes; ++k)
    for (int j = 0; j < nodes; ++j)
      for (int i = 0; i < nodes; ++i) {
        const Vector at = {length * i, length * j, length * k}, v = abc(at);
        x.insert(x.end(), at.begin(), at.end());
        velocity.insert(velocity.end(), v.begin(), v.end());
      }
  std::vector<int> tetrahedra; // around the diagonal of each small cube
  for (int k = 0; k < edge; ++k)
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i) {
        const auto node = [&](int a, int b, int c) { return ((k + c) * nodes + j + b) * nodes + i + a; };
        const std::array<int, 8> corner = {node(0, 0, 0), node(1, 0, 0), node(1, 1, 0), node(0, 1, 0),
                                           node(0, 0, 1), node(1, 0, 1), node(1, 1, 1), node(0, 1, 1)};
        for (const auto &[from, to] : {std::pair{1U, 2U}, {2U, 3U}, {3U, 7U}, {7U, 4U}, {4U, 5U}, {5U, 1U}})
          tetrahedra.insert(tetrahedra.end(), {corner[0], corner[from], corner[to], corner[6]});
      }
  cells = std::make_unique<Cells>(3, x);
  cells->add(op2::core::CellType::tetrahedron, tetrahedra);
  cells->connect();
  locator = std::make_unique<Locator>(*cells);
  field = std::make_unique<Field>(*cells, *locator, velocity, Field::On::nodes);
}

Options options_for(const Flow &flow, long most_steps) {
  Options out;
  out.step = 0.2 * flow.length / flow.field->fastest();
  out.most_steps = most_steps;
  out.every = 0; // points are not what is studied
  return out;
}

std::vector<Vector> random_seeds(int count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(0, period);
  std::vector<Vector> out;
  for (int i = 0; i < count; ++i) out.push_back({any(random), any(random), any(random)});
  return out;
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
