// The work of a chain in pieces that run one after the other, whose rows are close to each other: tiles, or what
// threads run of their tiles at the same time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/chain/chain_schedule.hpp"
#include "loop/paged/chunk_uses.hpp"

namespace op2::core {

class PagedWork {
 public:
  virtual ~PagedWork() = default;
  virtual int pieces() const = 0;
  // Whether a piece may run as one with the piece before it.
  virtual bool joins(int piece) const = 0;
  virtual void add_uses(int piece, ChunkUses &uses) const = 0;
  // The steps that run pieces [first, last).
  virtual void add_steps(int first, int last, Schedule &schedule,
                         std::vector<std::unique_ptr<ExecutorChain>> &groups) const = 0;
};

// tiles: how many of the chain. What `chain` points to outlives the result.
std::unique_ptr<PagedWork> paged_work(const ChainToSchedule &chain, int tiles, int threads);

} // namespace op2::core
// SPDX-License-Identifier: MIT
