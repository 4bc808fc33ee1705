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
  std::int64_t volume = 0;     // copies of vertices that parts need of each other: for each the other parts it touches
  double imbalance = 1;        // weight of a part over its share, of the worst one; 1 = perfect
  std::int64_t neighbours = 0; // other parts that a part touches: the most, and on average
  double mean_neighbours = 0;
  std::int64_t empty = 0; // parts without vertices

  std::string summary() const; // one line for the log
};

// part: of the own vertices. Collective; the same answer everywhere. Memory depends on the own vertices and on the
// parts per process. A part whose share is 0 counts as balanced when it has no weight.
PartQuality part_quality(Communicator &communicator, const PartGraph &graph, std::span<const int> part,
                         const PartShares &shares);

// Its imbalance alone, for divisions without a graph. weight: empty = 1. Collective.
double part_imbalance(Communicator &communicator, std::span<const int> weight, std::span<const int> part,
                      const PartShares &shares);

} // namespace op2::core
