// graph.cpp: kernels one after the other as a graph of the driver.
#include "launch/graph.hpp"

#include <cstring>

namespace op2::exec_cuda {

namespace {

// The driver copies the parameters when it gets them.
struct NodeParams {
  void *argument;
  CUDA_KERNEL_NODE_PARAMS_v2 node{};
  NodeParams(const LaunchShape &shape, const char *parameters) : argument(const_cast<char *>(parameters)) {
    node.func = shape.function;
    node.gridDimX = shape.grid;
    node.blockDimX = shape.block;
    node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    node.sharedMemBytes = shape.shared;
    node.kernelParams = &argument;
  }
  NodeParams(const NodeParams &) = delete;
};

} // namespace

void LaunchList::add(const LaunchShape &shape, const void *parameters, const char *name) {
  constexpr size_t alignment = 16;
  const size_t at = filled_;
  filled_ += (shape.bytes + alignment - 1) / alignment * alignment;
  if (parameters_.size() < filled_) parameters_.resize(2 * filled_);
  std::memcpy(parameters_.data() + at, parameters, shape.bytes);
  launches_.push_back({shape, at, name});
}

bool LaunchList::take(const One &one, const LaunchList &other) {
  char *const mine = parameters_.data() + one.at;
  if (std::memcmp(mine, other.parameters_of(one), one.shape.bytes) == 0) return false;
  std::memcpy(mine, other.parameters_of(one), one.shape.bytes);
  return true;
}

Graph::Graph(const Driver &driver, const LaunchList &list) : driver_(driver), list_(list), nodes_(list.size()) {
  driver_.check(driver_.cuGraphCreate(&graph_, 0), "make a graph");
  CUresult status = CUDA_SUCCESS;
  for (size_t i = 0; i < nodes_.size() && status == CUDA_SUCCESS; ++i) {
    const LaunchList::One &one = list_.launches()[i];
    const NodeParams params(one.shape, list_.parameters_of(one));
    status = driver_.cuGraphAddKernelNode(&nodes_[i], graph_, i == 0 ? nullptr : &nodes_[i - 1], i == 0 ? 0 : 1,
                                          &params.node);
  }
  if (status == CUDA_SUCCESS) status = driver_.cuGraphInstantiateWithFlags(&instance_, graph_, 0);
  if (status == CUDA_SUCCESS) return;
  driver_.cuGraphDestroy(graph_);
  driver_.fail(status, "make a graph of " + std::to_string(nodes_.size()) + " launches");
}

Graph::~Graph() {
  driver_.cuGraphExecDestroy(instance_); // whoever destroys it has waited for the stream
  driver_.cuGraphDestroy(graph_);
}

size_t Graph::differing(const LaunchList &list) const {
  size_t count = 0;
  for (const LaunchList::One &one : list_.launches())
    count += std::memcmp(list_.parameters_of(one), list.parameters_of(one), one.shape.bytes) != 0 ? 1 : 0;
  return count;
}

size_t Graph::update(const LaunchList &list) {
  size_t count = 0;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const LaunchList::One &one = list_.launches()[i];
    if (!list_.take(one, list)) continue;
    const NodeParams params(one.shape, list_.parameters_of(one));
    driver_.check(driver_.cuGraphExecKernelNodeSetParams(instance_, nodes_[i], &params.node),
                  "change a launch of a graph");
    ++count;
  }
  return count;
}

void Graph::launch(CUstream stream) {
  driver_.check(driver_.cuGraphLaunch(instance_, stream), "launch a graph of " + std::to_string(nodes_.size()));
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
