// What loops of a chain want from memory.
#pragma once

#include <span>

namespace op2::core {

class Loop;

// Bytes of all rows and maps that the loops touch, each once.
double touched_bytes(std::span<Loop *const> loops);
} // namespace op2::core

// SPDX-License-Identifier: MIT
