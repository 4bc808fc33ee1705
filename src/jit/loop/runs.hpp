// Runs: elements with consecutive map entries, so that their rows have unit stride.
//
// In a loop over the edges of a mesh in good order, elements n, n + 1, n + 2, ... (period 1) or n, n + 2, n + 4, ...
// (period 2: two kinds of edges alternate) often have consecutive entries. The vector form then loads whole vectors
// instead of single rows. Generated code tests the map entries of each block of elements and chooses the loads.
// Increments keep the order of the elements, so the choice changes no bit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "jit/loop/loop_parts.hpp"

namespace op2::core::jit {

// One column of a map.
struct MapColumn {
  const int *entries; // of element 0
  int step;           // from element to element
};

// The sample: blocks spread over elements 0 ... size-1, each as long as that of the widest vectors in common use; and
// whether the entries of one count up.
inline constexpr int block_lanes = 8;
std::vector<std::ptrdiff_t> sampled_blocks(int size, int period);
bool counts_up(const MapColumn &column, std::ptrdiff_t from, int period);

// The period of the runs in elements 0 ... size-1, estimated from a sample; 0 = too few are in runs.
int period_of_runs(std::span<const MapColumn> columns, int size);

// The period of runs that the vector form uses; 0 = none.
int usable_period(const LoopParts &parts, int lanes);

// A condition in generated code, under which the next one is valid for all elements of a range.
std::string columns_are_adjacent(const LoopParts &parts);
// A condition in generated code: the elements from `first` on are runs.
std::string elements_are_runs(const LoopParts &parts, int lanes, int period, const char *first = "n");

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
