// Lines from the pieces that processes have made of them.
#pragma once

#include "tracer/draw/job.hpp"

namespace op2::core::tracer {

// What has been made anywhere goes to the homes of the lines, into lines.line, begin and points. `made` is empty
// afterwards. Collective.
void gather(Communicator &communicator, Archive &made, Lines &lines);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
