// Runs recorded loops on several processes: in groups with one exchange each (layers/layered_chain.hpp), or one after
// the other. Collective.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "loop/engine/chain_context.hpp"
#include "loop/engine/mesh_setup.hpp"
#include "loop/engine/prepared_loops.hpp"
#include "loop/layers/layered_chain.hpp"

namespace op2::core {

class LayeredRunner {
 public:
  // deepen: makes halos of so many layers, and prepares the recorded loops anew.
  LayeredRunner(const ChainContext &context, const LayerOptions &options, const MeshSetup &setup, PreparedLoops &loops,
                std::function<void(int)> deepen)
      : context_(context),
        setup_(setup),
        loops_(loops),
        options_(options),
        deepen_(std::move(deepen)),
        layered_(options) {}

  void run(const ChainToRun &chain);
  // A loop that is current, by itself: in units, if data of this process is partly in a file.
  void run_loop(Loop &loop, const LoopCall &call);
  bool pages() const { return pager() != nullptr; }
  void forget() {
    layered_.forget();
    units_.clear();
  }

 private:
  void agree_on(const ChainToRun &chain);
  void run_chain(const ChainToRun &chain);
  void finish_executor(const ChainToRun &chain);
  void note_run(const ChainToRun &chain, LayeredChain &known, std::span<const LayerGroup> groups);
  void run_one(Loop &loop, const ChainToRun &chain, std::size_t at);
  void run_group(const ChainToRun &chain, LayerGroup &group, double tile_bytes);
  void prepare(const ChainToRun &chain, LayerGroup &group);
  // NULL: all data of this process is in memory.
  Pager *pager() const { return context_.mesh.paged() ? context_.mesh.paged()->pager() : nullptr; }
  std::size_t kept_bytes() const; // by the pager, in memory
  int layers_in_memory() const;
  bool find_tiles(const ChainToRun &chain, LayerGroup &group, double tile_bytes);
  const LayerTiles *units_of(Loop &loop);
  void verify_units(std::span<Loop *const> loops, const std::string &chain, const LayerTiles &tiles, std::size_t &at);
  template <class Run>
  void run_units(const LayerTiles &tiles, const Run &run);
  void find_units(const ChainToRun &chain, LayeredChain &known);
  bool update_executor(const ChainToRun &chain, LayerGroup &group);
  void run_in_tiles(const ChainToRun &chain, const LayerGroup &group);
  void run_at_once(const ChainToRun &chain, const LayerGroup &group);
  template <class Main>
  void run_steps(const ChainToRun &chain, const LayerGroup &group, const Schedule &schedule, const Main &main);
  void close(const ChainToRun &chain, const LayerGroup &group, const Schedule &schedule, std::span<RunningCall> calls);
  void note_copies(const ChainToRun &chain, const LayerGroup &group);
  void before_results(Loop &loop, std::size_t at);
  void settle_globals(std::size_t end, std::size_t &at);
  LayeredChain &deepen(const ChainToRun &chain, LayeredChain &known);

  const ChainContext context_;
  const MeshSetup &setup_;
  PreparedLoops &loops_;
  const LayerOptions options_;
  const std::function<void(int)> deepen_;
  LayeredChains layered_;
  std::map<const Loop *, std::unique_ptr<LayerTiles>> units_; // of loops by themselves; also those that have none
  LaterReductions later_;   // of the chain that is running
  std::size_t settled_ = 0; // the first call whose effects on globals of the library are not applied yet
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
