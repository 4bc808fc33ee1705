// trace_rest.hpp: when a process that rests notices a message.
#ifndef OP2_BENCH_TRACE_REST_HPP
#define OP2_BENCH_TRACE_REST_HPP

#include "trace_scale/trace_simulate.hpp"

namespace trace_scale {

// since: when it began to rest, after a look that found nothing. The time of the first look that finds what has come at
// `arrival`, as job.cpp's rest() has it.
double noticed(double since, double arrival, Resting resting, const Costs &costs);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
