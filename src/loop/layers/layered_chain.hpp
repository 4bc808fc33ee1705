// Several processes: the loops of a chain in groups, each with one exchange before it. Copies of other processes' rows
// are computed here once more, where exchanges between the loops would have brought them. Whether that is faster is
// measured.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/cache_size.hpp"
#include "host/communicator.hpp"
#include "loop/chain/call.hpp"
#include "loop/layers/executor_layers.hpp"
#include "loop/layers/layer_choice.hpp"
#include "loop/layers/layer_tiles.hpp"
#include "loop/layers/layers.hpp"

namespace op2::core {

struct LayerOptions {
  bool possible = false;           // the same on all processes, as the others are
  bool measured = true;            // else all chains run in layers
  int most = 8;                    // layers of copies
  double tile_bytes = 0;           // of the rows of a tile; 0 = by the size of the caches, and by time
  bool at_once = false;            // executors get the loops of a group together: no tiles
  Caches caches{1 << 20, 1 << 25}; // of this process, which may differ
};

// Consecutive calls of a chain: calls first ... last - 1.
struct LayerGroup {
  std::size_t first = 0, last = 0;
  LayerPlan plan;                                    // of more than one call; a single one runs as without a chain
  std::vector<Loop *> loops;                         // of the calls, in layers; empty until they are prepared
  std::shared_ptr<const LayerTiles> tiles = nullptr; // likewise; NULL: one after the other
  std::shared_ptr<ExecutorLayers> whole = nullptr;   // likewise; with LayerOptions::at_once
  bool at_once = false;                              // the executor got the loops of the last run as one
  bool together() const { return last - first > 1; }
  bool in_tiles() const { return tiles && tiles->why().empty(); }
};

// Why the loop runs by itself on this process, between two groups; "" = it fits into one.
std::string why_alone(const Loop &loop);
// Groups as long as so many layers of copies allow. alone: of each call.
std::vector<LayerGroup> groups_of(std::span<const ChainCall> calls, std::span<const char> alone, int most_layers);
// The dat of a plan's number.
Dat &dat_of(std::span<const ChainCall> calls, int number);

class LayeredChain {
 public:
  LayeredChain(std::span<const ChainCall> calls, const LayerOptions &options);

  bool is(std::span<const ChainCall> calls) const;
  // The same loops, prepared anew.
  void now(std::span<const ChainCall> calls);
  // The groups of the next run; NULL = loop after loop. paged: data of this process is partly in a file, and memory
  // allows so many layers of copies; 0: all is in memory. Collective at the second run.
  std::vector<LayerGroup> *next_groups(std::span<const ChainCall> calls, Communicator &communicator, int paged);
  // Data of some process is partly in a file.
  bool paged() const { return paged_; }
  // Half as many, in shorter groups, which need less memory; after one layer, loop after loop. Collective.
  void take_fewer_layers(std::span<const ChainCall> calls, Communicator &communicator);
  int depth() const; // layers of copies that the next run needs
  // Of the rows of a tile of the next run, on this process; 0: the loops of a group run one after the other.
  double tile_bytes() const;
  void record_time(const LayerChoice::Run &run, Communicator &communicator);
  bool compares() const { return choice_.compares(); }
  bool decided() const { return choice_.decided(); }
  bool to_report(); // text() is final, and was not so at the last call
  std::string text() const;
  std::string on_executor()
      const; // how it runs the loops that it gets together, as of the last run; "" = there are none
  std::int64_t messages_apart() const { return choice_.messages_apart(); }

 private:
  void find_ways(std::span<const ChainCall> calls, Communicator &communicator, int paged);
  bool settled(Communicator &communicator) const;
  enum class Tiles { none, given, by_cache };
  Tiles wanted_tiles(Communicator &communicator) const; // the same on all processes

  const LayerOptions options_;
  std::vector<Loop *> loops_;
  LayerChoice choice_;
  std::vector<std::vector<LayerGroup>> groups_; // of each way
  bool paged_ = false;
  int most_; // layers of copies
  bool reported_ = false;
};

// All chains of a context.
class LayeredChains {
 public:
  explicit LayeredChains(const LayerOptions &options) : options_(options) {}
  // The chain of these loops, which is new at their first run.
  LayeredChain &find(std::span<const ChainCall> calls, bool &is_new);
  // The chain used last, by itself; adopt() takes it back when its loops have been prepared anew.
  std::list<LayeredChain> take_last() {
    std::list<LayeredChain> out;
    out.splice(out.begin(), chains_, chains_.begin());
    return out;
  }
  LayeredChain &adopt(std::list<LayeredChain> chain, std::span<const ChainCall> calls);
  void forget() { chains_.clear(); }

 private:
  const LayerOptions options_;
  std::list<LayeredChain> chains_; // the one used last is the first
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
