#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "host/partitioner.hpp"

namespace op2::core {

PartShares::PartShares(int parts) {
  if (parts < 1) fail(OP_ERR_ARGUMENT, "cannot divide into ", parts, " parts");
  for (int p = 0; p <= parts; ++p) before_.push_back(p);
}

PartShares::PartShares(std::vector<double> shares) : shares_(std::move(shares)), before_{0.0} {
  for (std::size_t p = 0; p < shares_.size(); ++p) {
    if (!std::isfinite(shares_[p]) || shares_[p] < 0)
      fail(OP_ERR_ARGUMENT, "part ", p, " cannot have the share ", shares_[p], ": shares are numbers of 0 or more");
    before_.push_back(before_.back() + shares_[p]);
  }
  if (!(before_.back() > 0)) fail(OP_ERR_ARGUMENT, "no part has a share: one of them must be more than 0");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
