// Meshes with a velocity for tests of the tracer, and what one of several processes has of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "streamline/box.hpp"
#include "tracer/block/source.hpp"

namespace unit::tracing {

using namespace unit::streamline;
namespace tracer = op2::core::tracer;

// A mesh and a velocity, whole.
struct Whole {
  BoxMesh mesh;
  std::vector<double> velocity;
  Field::On on = Field::On::nodes;
  std::vector<double> later; // empty: it does not change
  Field field() const { return Field(*mesh.cells, *mesh.locator, velocity, on, {later, duration}); }
  static constexpr double duration = 5;
};

inline Vector swirl(const Vector &x) {
  return {-x[1] + 0.3 * x[2], x[0] + 0.2 * std::sin(3 * x[1]), 0.25 * std::cos(2 * x[0]) + 0.1 * x[1]};
}

inline Whole swirling(Cut cut, int n, double jiggle = 0.2) {
  Whole out{box(cut, n, jiggle), {}, Field::On::nodes, {}};
  out.velocity = out.mesh.at_nodes(swirl);
  return out;
}

// What one of several processes has of it: every so many'th cell.
inline tracer::Source share_of(const Whole &whole, int rank, int size) {
  const Cells &cells = *whole.mesh.cells;
  tracer::Source out;
  out.dim = cells.dim();
  out.on = whole.on;
  for (int cell = rank; cell < cells.size(); cell += size) {
    tracer::CellRecord record;
    record.number = cell;
    record.type = static_cast<int>(cells.type(cell));
    std::copy(cells.nodes_of(cell).begin(), cells.nodes_of(cell).end(), record.node.begin());
    out.cells.push_back(record);
  }
  const auto rows = [dim = static_cast<std::size_t>(out.dim)](const std::vector<double> &all) {
    return [&all, dim](std::span<const std::int64_t> numbers) {
      std::vector<double> picked;
      for (const std::int64_t number : numbers)
        for (std::size_t k = 0; k < dim; ++k) picked.push_back(all[static_cast<std::size_t>(number) * dim + k]);
      return picked;
    };
  };
  out.coordinates = rows(whole.mesh.x);
  out.velocity = rows(whole.velocity);
  if (!whole.later.empty()) {
    out.later = rows(whole.later);
    out.duration = Whole::duration;
  }
  return out;
}

} // namespace unit::tracing

// SPDX-License-Identifier: MIT
