// CUDA graphs: sequences of launches that the driver puts on a stream in one call.
#pragma once

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

// Launches that are not on the stream yet, with copies of their parameters.
class LaunchList {
 public:
  struct One {
    LaunchShape shape;
    size_t at = 0;              // offset of the parameters in their block of memory
    const char *name = nullptr; // of the loop
  };
  void add(const LaunchShape &shape, const void *parameters, const char *name);
  void clear() { // memory serves again
    launches_.clear();
    filled_ = 0;
  }
  bool empty() const { return launches_.empty(); }
  size_t size() const { return launches_.size(); }
  const std::vector<One> &launches() const { return launches_; }
  const std::vector<char> &parameters() const { return parameters_; }
  const char *parameters_of(const One &one) const { return parameters_.data() + one.at; }
  // Takes the parameters of one launch from a list of the same shapes; returns whether they are other ones.
  bool take(const One &one, const LaunchList &other);

 private:
  std::vector<One> launches_;
  std::vector<char> parameters_; // the first filled_ bytes are used
  size_t filled_ = 0;
};

// An instance of a graph, for repeated launches with few changed parameters. Throws failures of the driver.
class Graph {
 public:
  Graph(const Driver &driver, const LaunchList &list);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  // How many launches have other parameters than this instance. list: of the same shapes.
  size_t differing(const LaunchList &list) const;
  // Sets the parameters; returns how many launches changed. Earlier launches keep their own.
  size_t update(const LaunchList &list);
  void launch(CUstream stream);

 private:
  const Driver &driver_;
  LaunchList list_; // as it is in the instance
  std::vector<CUgraphNode> nodes_;
  CUgraph graph_ = nullptr; // owns the nodes
  CUgraphExec instance_ = nullptr;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
