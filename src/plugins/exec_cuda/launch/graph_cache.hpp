// Graphs of repeated launches. A launch costs the host and the device more time than a small loop runs, a launch within
// a graph a fraction of that. A sequence of launches that has occurred several times is a pattern, expected to occur
// again: the cache holds its launches back until it is complete, and launches them as one graph. Before any other use
// of the stream, the held launches are sent.
//
// Only launches of few blocks are held back, so an idle device waits no longer than the host takes to request some tens
// of loops, and runs these faster. A query whether the device is idle would cost as much as a launch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "launch/graph.hpp"
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
  // For a function that will be unloaded. No launch may be pending.
  void forget(CUfunction function);
  std::string report() const; // how many launches were part of graphs

 private:
  struct Pattern {
    std::vector<LaunchShape> shapes;
    std::vector<std::unique_ptr<Graph>> graphs; // equal except for parameters
    uint64_t used = 0;                          // number of the launch that ended its last run
  };
  using Candidates = std::vector<Pattern *>;

  void put(const LaunchShape &shape, const void *parameters, const char *name) const;
  void note(const LaunchShape &shape, bool small);
  void hold(const LaunchShape &shape, const void *parameters, const char *name);
  void interrupt();
  void launch_held();
  void narrow(const LaunchShape &shape);
  void find_candidates(const LaunchShape &shape);
  bool fits(const Pattern &pattern, size_t period) const;
  void make_pattern(const LaunchShape &shape);
  size_t pattern_length(size_t period) const;
  void drop_oldest();
  void run(Pattern &pattern);
  bool run_as_graph(Pattern &pattern);
  void stop(); // no launch is held back from now on
  Graph &graph_for(Pattern &pattern);
  const LaunchShape &shape_before(size_t back) const { return shapes_[(count_ - back) % Repeats::longest]; }

  const Driver &driver_;
  const op_host_v1 *host_;
  CUstream stream_;
  bool on_, eager_; // eager: for tests, by the setting `always`
  unsigned few_blocks_;
  // The sequence so far: launches, and marks where the stream had another use.
  Repeats repeats_;
  std::array<LaunchShape, Repeats::longest> shapes_{};
  uint64_t count_ = 0;        // members of the sequence
  bool open_ = false;         // the last member is a launch
  bool after_pattern_ = true; // a pattern has just ended, or an interruption came
  std::vector<std::unique_ptr<Pattern>> patterns_;
  // The held launches, and the patterns that begin with them.
  std::vector<HeldLaunch> held_;
  std::vector<char> parameters_; // of held_; its first filled_ bytes are used
  size_t filled_ = 0;
  Candidates candidates_;
  uint64_t launches_ = 0, in_graphs_ = 0, graph_launches_ = 0, graphs_made_ = 0, changed_ = 0;
};

} // namespace op2::exec_cuda
