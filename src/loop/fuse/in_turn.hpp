// Merged loops as the verifier of chains sees them: the rows that they reach, and the order in which their loops run.
#pragma once

#include <span>
#include <vector>

#include "loop/chain/segments.hpp"
#include "loop/fuse/groups.hpp"

namespace op2::core {

// One loop for each group of these.
std::vector<ChainLoop> merged_loops(std::span<const ChainLoop> loops, std::span<const FusedGroup> groups);
// Tiles of merged loops as those of the loops themselves, which take turns: so many elements of each.
ChainTiles in_turn(const ChainTiles &merged, std::span<const FusedGroup> groups, int elements);

} // namespace op2::core
