// quality.hpp: how good a division of a distributed graph is.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "host/communicator.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

struct PartQuality {
  std::int64_t cut = 0;        // edges between two parts
  std::int64_t volume = 0;     // copies of vertices: for each vertex, the number of other parts it touches
  double imbalance = 1;        // largest weight of a part relative to its share; 1 = perfect
  std::int64_t neighbours = 0; // other parts that a part touches: maximum and mean
  double mean_neighbours = 0;
  std::int64_t empty = 0; // parts without vertices

  std::string summary() const; // one line for the log
};

// part: of each own vertex. Collective; all processes get the same result. Memory depends on the own vertices and on
// the parts per process. A part whose share is 0 does not count for the imbalance.
PartQuality part_quality(Communicator &communicator, const PartGraph &graph, std::span<const int> part,
                         const PartShares &shares);

// PartQuality::imbalance, for divisions without a graph. weight: empty = all 1. Collective.
double part_imbalance(Communicator &communicator, std::span<const int> weight, std::span<const int> part,
                      const PartShares &shares);

} // namespace op2::core

// SPDX-License-Identifier: MIT
