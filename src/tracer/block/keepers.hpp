// Which processes know which bins. Each bin has a keeper, which is told by those who know it and answers everyone: no
// process has a table of all bins or of all processes.
#pragma once

#include "host/communicator.hpp"
#include "tracer/block/bins.hpp"

namespace op2::core::tracer {

class Keepers {
 public:
  // own: the bins that this process knows. Collective.
  Keepers(Communicator &communicator, std::size_t bins, const Region &own);

  // Processes by bin, for bins that were asked about.
  class Known {
   public:
    std::span<const int> of(std::size_t bin) const; // ascending

   private:
    friend class Keepers;
    std::vector<std::int64_t> bins_; // ascending
    std::vector<std::size_t> begin_{0};
    std::vector<int> ranks_;
  };
  // bins: in any order, also several times. Collective.
  Known ask(Communicator &communicator, std::vector<std::int64_t> bins) const;

 private:
  int keeper(std::int64_t bin) const { return static_cast<int>(bin / each_); }

  std::int64_t each_, first_ = 0;  // bins of a keeper, and the first one here
  std::vector<std::size_t> begin_; // of each bin that is kept here, in ranks_
  std::vector<int> ranks_;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
