// The finite-time Lyapunov exponent: how fast particles that begin beside each other part. G. Haller, Distinguished
// material surfaces and coherent structures in three-dimensional fluid flows, Physica D 149 (2001) 248.
#pragma once

#include "tracer/facts.hpp"
#include "tracer/tracer.hpp"

namespace op2::core::tracer {

// At each node, from where its particle and those of the nodes in the same cells come in the time `time` (negative:
// backwards): the gradient of that by least squares, then log(its largest stretching) / |time|. Not a number where less
// than all of these particles have been traced so long. `out`: one double on nodes. Collective.
void ftle(Context &context, op_tracer_core &tracer, const Request &request, const DatFacts &out);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
