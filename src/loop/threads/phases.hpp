// Phases: consecutive loops of a chain that threads run without waiting for all others; between two phases all meet.
//
// With each loop the borders between parts grow (threads/parts.hpp), until they touch each other and one thread has the
// rest: the sooner, the more parts there are and the further loops reach, as on meshes in three dimensions. So a chain
// whose threads would have unequal work is cut before a loop with which that begins, and parts start anew.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "loop/threads/parts.hpp"

namespace op2::core {

// The longest thread of a phase, relative to an equal share, from where on chains are cut.
inline constexpr double most_uneven_phase = 1.1;

struct ChainPhase {
  std::size_t first, last; // loops [first, last) of the chain
  ChainParts parts;        // of these loops
};

// No thread has more than `most` times an equal share of a phase, unless that is a single loop. rows, in_order: as in
// part_chain(). stop: asked where more work is to be done; once it is true, the result is empty.
std::vector<ChainPhase> phase_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int parts, double most,
                                    std::span<const int> in_order = {}, const std::function<bool()> &stop = {});

// How long threads work if each waits at the end of a phase for the one that has most, relative to equal shares.
double longest_of(std::span<const ChainPhase> phases);

} // namespace op2::core

// SPDX-License-Identifier: MIT
