// Graphs of launches that come again and again. A launch costs the host and the device more time than a small loop
// runs, a launch within a graph a fraction of that. So launches are watched; a sequence that has come several times is
// a pattern and expected to come again: its launches are held back until it is complete, and go to the device as one
// graph. Whatever else needs the stream sends first what is held back.
//
// Only launches of few blocks are held back, so that a device that has nothing else to do is idle for the time it takes
// the host to ask for some tens of loops, and runs these the faster for it. Asking whether it has would cost as much as
// a launch.
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
  // `use`: the setting OP2_CUDA_GRAPHS. The stream is the one of loops; a launch of up to `few_blocks` is small.
  GraphCache(const Driver &driver, const op_host_v1 *host, CUstream stream, const std::string &use,
             unsigned few_blocks);

  // Puts a launch on the stream, now or later. `parameters` are copied; `name` has to live until the stream was waited
  // for, after flush().
  void launch(const LaunchShape &shape, const void *parameters, const char *name);
  // The same, never later: of loops whose time is taken.
  void launch_now(const LaunchShape &shape, const void *parameters, const char *name);
  // Something else comes to the stream, or somebody waits for it.
  void flush() {
    if (open_) interrupt();
  }
  // A function that will be unloaded. Nothing may be under way.
  void forget(CUfunction function);
  std::string report() const; // how many launches went in graphs

 private:
  struct Pattern {
    std::vector<LaunchShape> shapes;
    std::vector<std::unique_ptr<Graph>> graphs; // alike but for parameters
    uint64_t used = 0;                          // the launch that was its last
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
  void stop(); // from now on nothing is held back
  Graph &graph_for(Pattern &pattern);
  const LaunchShape &shape_before(size_t back) const { return shapes_[(count_ - back) % Repeats::longest]; }

  const Driver &driver_;
  const op_host_v1 *host_;
  CUstream stream_;
  bool on_, eager_; // eager: for tests, of the setting `always`
  unsigned few_blocks_;
  // The sequence so far: launches, and between them marks where something else came.
  Repeats repeats_;
  std::array<LaunchShape, Repeats::longest> shapes_{};
  uint64_t count_ = 0;        // members of the sequence
  bool open_ = false;         // the last member is a launch
  bool after_pattern_ = true; // a pattern has just ended, or an interruption came
  std::vector<std::unique_ptr<Pattern>> patterns_;
  // What is held back, and the patterns that begin with it.
  std::vector<HeldLaunch> held_;
  std::vector<char> parameters_; // of which so many bytes are filled
  size_t filled_ = 0;
  Candidates candidates_;
  uint64_t launches_ = 0, in_graphs_ = 0, graph_launches_ = 0, graphs_made_ = 0, changed_ = 0;
};

} // namespace op2::exec_cuda
