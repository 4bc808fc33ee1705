// trace_paths.hpp: the cells that each particle comes through, drawn once on the whole mesh: lines do not depend on the
// division, so every division can be studied from them.
#ifndef OP2_BENCH_TRACE_PATHS_HPP
#define OP2_BENCH_TRACE_PATHS_HPP

#include <span>

#include "trace_scale/trace_flow.hpp"

namespace trace_scale {

struct Paths {
  std::vector<std::size_t> begin{0}; // [particles + 1]
  std::vector<int> cell;             // where the particle is before each of its steps, and before it finds its end
  std::vector<int> steps;            // by particle: as many as cells, or one less
  std::int64_t all_steps = 0;
  std::size_t particles() const { return steps.size(); }
};

Paths draw_paths(const Flow &flow, const Options &options, std::span<const Vector> seeds);

// Seconds of a step, as the library makes it, while so many threads draw these lines, each of them all: what cores get
// that share a memory.
double step_seconds(const Flow &flow, const Options &options, std::span<const Vector> seeds, int threads);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
