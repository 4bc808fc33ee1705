// One call of a loop in a chain.
#pragma once

#include "loop/loop.hpp"

namespace op2::core {

// Its arguments and the variables of its READ globals are the library's copies.
struct ChainCall {
  Loop *loop;
  LoopCall call;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
