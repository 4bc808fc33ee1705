// trace_visits.hpp: which processes a particle comes to, one after another, and how many steps it makes on each.
#ifndef OP2_BENCH_TRACE_VISITS_HPP
#define OP2_BENCH_TRACE_VISITS_HPP

#include "trace_scale/trace_paths.hpp"
#include "trace_scale/trace_pieces.hpp"

namespace trace_scale {

struct Visit {
  int process, block, steps; // block: of the cell where it arrives
};

struct Visits {
  std::vector<std::size_t> begin{0}; // [particles + 1]
  std::vector<Visit> visit;
  std::int64_t handed_over = 0, came_back = 0; // tracer::Counts::sent, returned
  std::size_t particles() const { return begin.size() - 1; }
  void add(std::span<const Visit> particle); // all that one does
};

Visits visits_of(const Paths &paths, const Pieces &pieces);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
