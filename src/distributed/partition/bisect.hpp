// bisect.hpp: divides elements that are distributed over processes into parts by recursive bisection, all subsets of
// one level together.
//
// A subset is cut at a weighted quantile of integer keys, which a few histograms over all processes find exactly. So
// the parts depend on the elements and not on their distribution over processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

// The order in which a cut divides the elements of a subset: by key(0, element), then by key(1, element) and so on.
// Elements with equal keys are ordered by their number over the processes.
struct CutOrder {
  int stages = 0;
  std::function<std::uint64_t(int stage, std::size_t element)> key;
};

// The order for a level. subset: of each own element, 0 ... subsets-1, or -1 when the element needs no more cuts.
// Collective.
using OrderOfLevel = std::function<CutOrder(int subsets, std::span<const int> subset)>;

// The part of each own element. weight: of each own element; empty = all 1. Collective. Throws OP_ERR_ARGUMENT for
// negative weights.
std::vector<int> bisect(Communicator &communicator, std::size_t elements, std::span<const int> weight,
                        const PartShares &shares, const OrderOfLevel &order);

// The weights of the own elements; all 1 if `weight` is empty or its sum over all processes is 0. Collective. Throws
// OP_ERR_ARGUMENT for negative weights.
std::vector<int> agreed_weights(Communicator &communicator, std::size_t elements, std::span<const int> weight);

} // namespace op2::core

// SPDX-License-Identifier: MIT
