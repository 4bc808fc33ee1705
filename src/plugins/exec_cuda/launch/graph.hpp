// CUDA graphs: sequences of launches that the driver puts on a stream in one call.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driver.hpp"

namespace op2::exec_cuda {

// A launch without its parameters.
struct LaunchShape {
  CUfunction function = nullptr;
  unsigned grid = 0, block = 0, shared = 0; // blocks, threads of each, bytes of shared memory of each
  size_t bytes = 0;                         // of the struct of parameters
  friend bool operator==(const LaunchShape &, const LaunchShape &) = default;
};

// A launch with a copy of its parameters.
struct HeldLaunch {
  LaunchShape shape;
  size_t at = 0;              // offset of the parameters in a block of memory
  const char *name = nullptr; // of the loop
};

// An instance of a graph, for repeated launches with few changed parameters. Throws failures of the driver.
class Graph {
 public:
  Graph(const Driver &driver, std::span<const HeldLaunch> launches, const std::vector<char> &parameters);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  // How many launches have other parameters than this instance.
  size_t differing(const std::vector<char> &parameters) const;
  // Sets the parameters; returns how many launches changed. Earlier launches keep their own.
  size_t update(const std::vector<char> &parameters);
  void launch(CUstream stream);

 private:
  const Driver &driver_;
  std::vector<HeldLaunch> launches_;
  std::vector<char> parameters_; // as they are in the instance
  std::vector<CUgraphNode> nodes_;
  CUgraph graph_ = nullptr; // owns the nodes
  CUgraphExec instance_ = nullptr;
};

} // namespace op2::exec_cuda
