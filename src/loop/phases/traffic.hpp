// What loops of a chain want from memory: for choices that no clock may make.
#pragma once

#include <span>

#include "loop/phases/phases.hpp"

namespace op2::core {

class Loop;

// Bytes of all rows and maps that the loops touch, each once.
double touched_bytes(std::span<Loop *const> loops);
// What phases read and write of rows and maps if each of them fetches a row once, relative to loop after loop.
double traffic_of(std::span<Loop *const> loops, std::span<const ChainPhase> phases);

} // namespace op2::core
