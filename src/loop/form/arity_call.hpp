// The element form: a range function over a bare function pointer.
#pragma once

#include "op2/loop.h"

namespace op2::core {

// Calls ctx->element once per element with ctx->nargs pointers (0 ... OP_MAX_ARGS). Works for any kernel the program
// can take the address of; the price is a call per element.
void element_range(const op_range_ctx *ctx, int begin, int end);

} // namespace op2::core

// SPDX-License-Identifier: MIT
