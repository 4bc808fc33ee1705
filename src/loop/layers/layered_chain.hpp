// Several processes: the loops of a chain in groups, each with one exchange before it. Copies of other processes' rows
// are computed here once more, where exchanges between the loops would have brought them. Whether that is faster is
// measured.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "host/communicator.hpp"
#include "loop/chain/chain.hpp"
#include "loop/layers/layers.hpp"

namespace op2::core {

struct LayerOptions {
  bool possible = false; // the same on all processes, as the others are
  bool measured = true;  // else all chains run in layers
  int most = 8;          // layers of copies
};

// Consecutive calls of a chain: calls first ... last - 1.
struct LayerGroup {
  std::size_t first = 0, last = 0;
  LayerPlan plan;            // of more than one call; a single one runs as without a chain
  std::vector<Loop *> loops; // of the calls, in layers; empty until they are prepared
  bool together() const { return last - first > 1; }
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
  // The groups of the next run; NULL = loop after loop. Collective at the second run.
  std::vector<LayerGroup> *next_groups(std::span<const ChainCall> calls, Communicator &communicator);
  int depth() const;        // layers of copies that the next run needs
  struct Run {              // of this process
    double seconds, waited; // of them for messages; negative: not measured
    std::int64_t exchanges, messages;
  };
  // What the last run has taken. Collective while it is not decided.
  void took(const Run &run, Communicator &communicator);
  bool decided() const { return decided_; }
  bool told(); // whether text() is final and was so at the last call
  std::string text() const;
  std::int64_t messages_apart() const { return apart_; } // of one run loop after loop, sent by this process

 private:
  struct Way {
    int most; // layers; 0: loop after loop
    std::vector<LayerGroup> groups;
    double least = 0; // seconds of the fastest run
    int runs = 0;
    std::int64_t exchanges = 0; // of the last run
    int depth() const;
  };
  void find_ways(std::span<const ChainCall> calls, Communicator &communicator);
  void decide(Communicator &communicator);
  bool worth_a_trial(const Run &run, Communicator &communicator);
  void stay(std::string why);

  const LayerOptions options_;
  std::vector<Loop *> loops_;
  std::vector<Way> ways_;
  std::int64_t apart_ = 0;
  std::size_t now_ = 0, best_ = 0;
  bool found_ = false, decided_ = false, told_ = false;
  std::string why_; // it does not run in layers
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
