// compact.hpp: an order of elements in which consecutive elements share targets, so that each block fetches few rows:
// blocks by the graph of the elements instead of by their numbers.
//
// Blocks grow one after the other, each from an element at the border of earlier blocks: the next element of a block is
// the candidate with the fewest new targets, the oldest one first. (Greedy graph growing, as graph partitioners start
// from: Karypis and Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
// Comput. 20, 1998; on the graph that Sulyok, Balogh, Reguly and Mudalige partition for the same purpose: "Locality
// optimized unstructured mesh algorithms on GPUs", J. Parallel Distrib. Comput. 134, 2019.) Blocks are exact: none is
// larger than block_size and only the last one is smaller.
#pragma once

#include <vector>

#include "plan/targets.hpp"

namespace op2::core {

// The elements [begin, end) in that order, and their slots: element n of `table` is element[n].
struct CompactElements {
  std::vector<int> element;
  std::vector<int> slot; // of all columns, element by element
  SlotTable table;       // points into `slot`
};

// Cost: elements x columns x elements that reach a target.
CompactElements compact_elements(const SlotTable &table, int begin, int end, int block_size);

} // namespace op2::core

// SPDX-License-Identifier: MIT
