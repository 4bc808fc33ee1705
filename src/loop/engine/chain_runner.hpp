// Runs recorded loops on one process: in tiles, in groups of the executor, or one after the other.
#pragma once

#include "loop/chain/chains.hpp"
#include "loop/engine/chain_context.hpp"
#include "loop/verify/checked_chains.hpp"

namespace op2::core {

class ChainRunner {
 public:
  ChainRunner(const ChainContext &context, const ChainOptions &options)
      : context_(context), chains_(options), checked_(options.tile_bytes) {}

  void run(const ChainToRun &chain);
  void forget(const Map &map) {
    chains_.forget(map);
    checked_.forget();
  }
  void forget() {
    chains_.forget();
    checked_.forget();
  }

 private:
  void run_alone(const ChainCall &call, std::size_t at);
  void run_groups(const ChainToRun &chain, ExecutorGroups &groups);
  void run_schedule(const ChainToRun &chain, const Schedule &schedule, Interpreter::Groups groups);
  void verify(const ChainToRun &chain);
  TiledChainStats &record_of(const ChainToRun &chain, Chain &known);
  void note_run(const ChainToRun &chain, Chain &known, bool in_tiles, double seconds);

  const ChainContext context_;
  Chains chains_;
  CheckedChains checked_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
