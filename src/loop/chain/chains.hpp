// All chains of a context, by their loops.
#pragma once

#include <cstdint>
#include <list>
#include <span>

#include "host/cache_size.hpp"
#include "loop/chain/chain.hpp"

namespace op2::core {

struct ChainOptions {
  bool automatic = false; // all loops are recorded, not only those between op_chain_begin() and op_chain_end()
  int longest = 64;       // a chain ends with so many loops
  double tile_bytes = 0;  // of the rows of a tile; 0 = by the size of the caches, and by time
  Caches caches{1 << 20, 1 << 25};
};

class Chains {
 public:
  explicit Chains(const ChainOptions &options) : options_(options) {}

  // The chain of these loops. NULL at their first run, as most sequences come once, unless tiles are asked for.
  Chain *find(std::span<const ChainCall> calls);
  void forget() {
    chains_.clear();
    seen_.clear();
  }
  void forget(const Map &map) { // the chains with loops through it
    std::erase_if(chains_, [&](const Chain &chain) { return chain.goes_through(map); });
  }

 private:
  static std::uint64_t hash(std::span<const ChainCall> calls);
  bool comes_again(std::span<const ChainCall> calls);

  const ChainOptions options_;
  std::list<Chain> chains_;         // the one used last is the first
  std::vector<std::uint64_t> seen_; // once
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
