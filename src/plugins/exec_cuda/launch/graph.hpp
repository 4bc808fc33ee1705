// CUDA graphs: launches one after the other that the driver puts on a stream in one call.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driver.hpp"

namespace op2::exec_cuda {

// What two launches have in common that differ in their parameters alone.
struct LaunchShape {
  CUfunction function = nullptr;
  unsigned grid = 0, block = 0, shared = 0; // blocks, threads of each, bytes of shared memory of each
  size_t bytes = 0;                         // of the struct of parameters
  friend bool operator==(const LaunchShape &, const LaunchShape &) = default;
};

// A launch with its parameters, which are copies.
struct HeldLaunch {
  LaunchShape shape;
  size_t at = 0;              // of the parameters in a block of memory
  const char *name = nullptr; // of the loop
};

// An instance of a graph, to be launched again and again with parameters of which few change. Throws when the driver
// refuses something.
class Graph {
 public:
  Graph(const Driver &driver, std::span<const HeldLaunch> launches, const std::vector<char> &parameters);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  // How many launches have other parameters than this instance.
  size_t differing(const std::vector<char> &parameters) const;
  // Gives them these parameters; returns how many those were. What was launched before keeps its own.
  size_t update(const std::vector<char> &parameters);
  void launch(CUstream stream);

 private:
  const Driver &driver_;
  std::vector<HeldLaunch> launches_;
  std::vector<char> parameters_; // as they are in the instance
  std::vector<CUgraphNode> nodes_;
  CUgraph graph_ = nullptr; // names the nodes
  CUgraphExec instance_ = nullptr;
};

} // namespace op2::exec_cuda
