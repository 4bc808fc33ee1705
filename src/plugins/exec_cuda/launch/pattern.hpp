// Patterns: sequences of launches that come again and again, and the one way in which they reach the stream: as graphs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "launch/graph.hpp"
#include "op2/plugin/plugin.h"

namespace op2::exec_cuda {

struct Pattern {
  std::vector<LaunchShape> shapes;
  std::vector<std::unique_ptr<Graph>> graphs; // equal except for parameters
  uint64_t used = 0;                          // number of the launch that ended its last run
  bool matches(const LaunchList &list) const;
};

// Puts launches on a stream: each by itself, or those of a pattern as a graph.
class Sender {
 public:
  Sender(const Driver &driver, const op_host_v1 *host, CUstream stream, bool graphs)
      : driver_(driver), host_(host), stream_(stream), on_(graphs) {}

  bool makes_graphs() const { return on_; } // false: they are turned off, or the driver has refused one
  void send(const LaunchShape &shape, const void *parameters, const char *name) const;
  // Whoever learns the pattern, from a chain of loops or from what was launched before, sends it by this. False, once:
  // the driver refuses, nothing was sent, and there are no graphs from now on.
  bool send(Pattern &pattern, const LaunchList &list);
  // Before a pattern goes, whose graphs may be running. What fails is told by the next call that needs the stream.
  void wait() const noexcept;

  uint64_t graphs_made() const { return graphs_made_; }
  std::string report() const; // "400 of them in 35 runs of 2 graphs, in which 12 were given new parameters"

 private:
  Graph &graph_for(Pattern &pattern, const LaunchList &list);

  const Driver &driver_;
  const op_host_v1 *host_;
  CUstream stream_;
  bool on_;
  uint64_t in_graphs_ = 0, graph_launches_ = 0, graphs_made_ = 0, changed_ = 0;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
