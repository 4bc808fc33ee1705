// bisect.hpp: dividing elements that are distributed over processes into parts by cutting them in two again and again,
// all subsets of one level together.
//
// Where a subset is cut is a weighted quantile of whole-number keys, found exactly by a few histograms over all
// processes. So the parts depend on the elements and not on who holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

// The order of the elements of each subset along which it is cut: by key(0, element), those that agree by
// key(1, element) and so on. Elements that agree in all come as they are numbered over the processes.
struct CutOrder {
  int stages = 0;
  std::function<std::uint64_t(int stage, std::size_t element)> key;
};

// The order for a level: `subset` has for each own element 0 ... subsets-1, or -1 when it needs no more cuts.
// Called by all processes together.
using OrderOfLevel = std::function<CutOrder(int subsets, std::span<const int> subset)>;

// The part of each of the own elements. weight: of the own elements, empty = 1. Collective. Throws OP_ERR_ARGUMENT for
// negative weights.
std::vector<int> bisect(Communicator &communicator, std::size_t elements, std::span<const int> weight,
                        const PartShares &shares, const OrderOfLevel &order);

// Weights of the own elements as all processes use them: 1 where there are none, or where they are 0 everywhere.
// Collective. Throws OP_ERR_ARGUMENT for negative ones.
std::vector<int> agreed_weights(Communicator &communicator, std::size_t elements, std::span<const int> weight);

} // namespace op2::core
