// Chains on an executor that runs loops as a whole, to look at them (executor check): schedules with which other
// executors would run them are made and verified.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loop/chain/call.hpp"

namespace op2::core {

class CheckedChains {
 public:
  // tile_bytes: see ChainOptions.
  explicit CheckedChains(double tile_bytes) : tile_bytes_(tile_bytes) {}

  // Each sequence of loops once, at its first run. Throws OP_ERR_CHECK, and `at` is the number of the loop. Returns
  // what was looked at, for the log; "" if nothing was.
  std::string verify(std::span<const ChainCall> calls, const std::string &name, std::size_t &at);
  void forget() { verified_.clear(); }

 private:
  const double tile_bytes_;
  std::vector<std::vector<const Loop *>> verified_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
