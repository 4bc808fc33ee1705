// Graphs of repeated launches. A launch costs the host and the device more time than a small loop runs, a launch within
// a graph a fraction of that. Patterns, sequences of launches that are expected to occur again, have two sources:
//
// Chains of loops (chain.hpp): the library says where they begin and end. All of their launches are there at once, and
// each saves a gap on the device, so large ones are in the graph, too.
//
// Programs that record no loops: a sequence of launches that has occurred several times is a pattern. The cache holds
// its launches back until it is complete. Before any other use of the stream, the held launches are sent. Only launches
// of few blocks are held back, so an idle device waits no longer than the host takes to request some tens of loops, and
// runs these faster. A query whether the device is idle would cost as much as a launch.
//
// Either way Sender (pattern.hpp) puts a pattern on the stream.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "launch/pattern.hpp"
#include "launch/repeats.hpp"
#include "op2/plugin/plugin.h"

namespace op2::exec_cuda {

class GraphCache {
 public:
  // `use`: the setting OP2_CUDA_GRAPHS. stream: of loops; few_blocks: the most blocks of a small launch.
  GraphCache(const Driver &driver, const op_host_v1 *host, CUstream stream, const std::string &use,
             unsigned few_blocks);

  // Puts a launch on the stream, now or later. Copies `parameters`; `name` must live until the host has waited for the
  // stream after flush().
  void launch(const LaunchShape &shape, const void *parameters, const char *name);
  // Puts it there now: for loops whose time is measured.
  void launch_now(const LaunchShape &shape, const void *parameters, const char *name);
  // To be called before any other use of the stream, and before a wait for it.
  void flush() {
    if (open_) interrupt();
  }
  // A chain's pattern, which is empty at first; close() gives it back.
  Pattern &open();
  void close(Pattern &pattern);
  // Puts all launches on the stream now, as a graph if there are several: one graph, as long as the chain has the same
  // launches. Returns whether it did. After a failure, `failed` is the number of the launch.
  bool launch_chain(Pattern &pattern, const LaunchList &list, size_t &failed);
  // For a function that will be unloaded. No launch may be pending.
  void forget(CUfunction function);
  std::string report() const; // how many launches were part of graphs

 private:
  using Candidates = std::vector<Pattern *>;

  void note(const LaunchShape &shape, bool small);
  void interrupt();
  void launch_held();
  void narrow(const LaunchShape &shape);
  void find_candidates(const LaunchShape &shape);
  bool fits(const Pattern &pattern, size_t period) const;
  void make_pattern(const LaunchShape &shape);
  size_t pattern_length(size_t period) const;
  void drop_oldest();
  void run(Pattern &pattern);
  const LaunchShape &shape_before(size_t back) const { return shapes_[(count_ - back) % Repeats::longest]; }

  Sender sender_;
  bool eager_; // for tests, by the setting `always`
  unsigned few_blocks_;
  // The sequence so far: launches, and marks where the stream had another use.
  Repeats repeats_;
  std::array<LaunchShape, Repeats::longest> shapes_{};
  uint64_t count_ = 0;        // members of the sequence
  bool open_ = false;         // the last member is a launch
  bool after_pattern_ = true; // a pattern has just ended, or an interruption came
  std::vector<std::unique_ptr<Pattern>> patterns_, of_chains_;
  // The held launches, and the patterns that begin with them.
  LaunchList held_;
  Candidates candidates_;
  uint64_t launches_ = 0, chains_ = 0;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
