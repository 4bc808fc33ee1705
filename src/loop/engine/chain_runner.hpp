// Runs recorded loops on one process: in tiles, in groups of the executor, or one after the other.
#pragma once

#include <list>

#include "loop/chain/chains.hpp"
#include "loop/engine/chain_context.hpp"
#include "loop/paged/paged_chain.hpp"
#include "loop/verify/checked_chains.hpp"

namespace op2::core {

class ChainRunner {
 public:
  ChainRunner(const ChainContext &context, const ChainOptions &options)
      : context_(context),
        paging_{options.tile_bytes, options.caches},
        chains_(options),
        checked_(options.tile_bytes) {}

  void run(const ChainToRun &chain);
  void forget(const Map &map) {
    chains_.forget(map);
    std::erase_if(paged_, [&](const PagedChain &chain) { return chain.goes_through(map); });
    checked_.forget();
  }
  void forget() {
    chains_.forget();
    paged_.clear();
    checked_.forget();
  }
  // Whether data is partly in a file, or not on the device.
  bool pages() const { return context_.mesh.chunks() != nullptr; }

 private:
  void bring_whole(const Loop &loop);
  void run_alone(const ChainCall &call, std::size_t at);
  void run_groups(const ChainToRun &chain, ExecutorGroups &groups);
  // first: the number of its first call among those that are recorded.
  void run_schedule(const ChainToRun &chain, const Schedule &schedule, Interpreter::Groups groups,
                    std::size_t first = 0);
  template <class Act>
  void each_paged(const ChainToRun &chain, const Act &act);
  template <class Act>
  void each_paged(const ChainToRun &chain, std::size_t first, std::size_t last, const Act &act);
  void run_paged(const ChainToRun &chain, std::size_t first, std::size_t last, PagedChain &known);
  void verify_paged(const ChainToRun &chain, std::size_t first, PagedChain &known);
  void note_paged(const ChainToRun &chain, const PagedChain &known, std::size_t first, std::size_t last,
                  double seconds);
  PagedChain &paged_chain(const ChainToRun &chain, std::size_t first, std::size_t last);
  void verify(const ChainToRun &chain);
  TiledChainStats &record_of(const ChainToRun &chain, Chain &known);
  void note_run(const ChainToRun &chain, Chain &known, bool in_tiles, double seconds);

  const ChainContext context_;
  const PagedChainOptions paging_;
  Chains chains_;
  std::list<PagedChain> paged_; // also those that do not fit; the one used last is the first
  CheckedChains checked_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
