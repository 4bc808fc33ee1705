// trace_real.hpp: the same particles traced by the library, on processes that are threads of this one.
#ifndef OP2_BENCH_TRACE_REAL_HPP
#define OP2_BENCH_TRACE_REAL_HPP

#include "trace_scale/trace_flow.hpp"
#include "tracer/draw/job.hpp"

namespace trace_scale {

struct RealRun {
  op2::core::tracer::Counts counts; // of all processes; seconds of the slowest
  std::int64_t lines = 0;           // that have an end
};

RealRun run_really(const Flow &flow, const Options &options, const op2::core::tracer::Division &division,
                   const op2::core::tracer::Running &running, const std::vector<Vector> &seeds, int processes);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
