// trace_visits.cpp: see trace_visits.hpp.
#include "trace_scale/trace_visits.hpp"

#include <algorithm>

namespace trace_scale {

void Visits::add(std::span<const Visit> particle) {
  for (auto at = particle.begin() + 1; at != particle.end(); ++at) {
    ++handed_over;
    came_back +=
        std::any_of(particle.begin(), at, [&](const Visit &before) { return before.process == at->process; }) ? 1 : 0;
  }
  visit.insert(visit.end(), particle.begin(), particle.end());
  begin.push_back(visit.size());
}

Visits visits_of(const Paths &paths, const Pieces &pieces) {
  Visits out;
  std::vector<Visit> own;
  for (std::size_t particle = 0; particle < paths.particles(); ++particle) {
    const std::span<const int> cells =
        std::span(paths.cell).subspan(paths.begin[particle], paths.begin[particle + 1] - paths.begin[particle]);
    if (cells.empty()) continue; // its seed is not in the mesh
    own.clear();
    for (const int cell : cells) {
      if (own.empty() || !pieces.complete(own.back().process, cell))
        own.push_back({pieces.owner(cell), pieces.block(cell), 0});
      ++own.back().steps;
    }
    own.back().steps -= static_cast<int>(cells.size()) - paths.steps[particle]; // finding the end is no step
    out.add(own);
  }
  return out;
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
