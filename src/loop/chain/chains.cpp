#include "loop/chain/chains.hpp"

#include <algorithm>
#include <new>

namespace op2::core {

namespace {

constexpr std::size_t most_chains = 64, most_seen = 1024;

} // namespace

std::uint64_t Chains::hash(std::span<const ChainCall> calls) {
  std::uint64_t out = calls.size();
  for (const ChainCall &call : calls) out = (out ^ reinterpret_cast<std::uintptr_t>(call.loop)) * 0x9e3779b97f4a7c15u;
  return out;
}

bool Chains::comes_again(std::span<const ChainCall> calls) {
  const std::uint64_t name = hash(calls);
  if (std::ranges::find(seen_, name) != seen_.end()) return true;
  if (seen_.size() == most_seen) seen_.clear();
  seen_.push_back(name);
  return false;
}

Chain *Chains::find(std::span<const ChainCall> calls) {
  const auto known = std::ranges::find_if(chains_, [&](const Chain &chain) { return chain.is(calls); });
  if (known != chains_.end()) {
    chains_.splice(chains_.begin(), chains_, known);
    return &*known;
  }
  if (options_.tile_bytes <= 0 && !comes_again(calls)) return nullptr;
  if (chains_.size() == most_chains) chains_.pop_back();
  try {
    chains_.emplace_front(calls, options_.tile_bytes, options_.caches);
  } catch (const std::bad_alloc &) { // loop after loop needs no tables
    return nullptr;
  }
  return &chains_.front();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
