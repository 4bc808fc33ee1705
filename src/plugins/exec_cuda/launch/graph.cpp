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

Graph::Graph(const Driver &driver, std::span<const HeldLaunch> launches, const std::vector<char> &parameters)
    : driver_(driver), launches_(launches.begin(), launches.end()), parameters_(parameters), nodes_(launches.size()) {
  driver_.check(driver_.cuGraphCreate(&graph_, 0), "make a graph");
  CUresult status = CUDA_SUCCESS;
  for (size_t i = 0; i < launches_.size() && status == CUDA_SUCCESS; ++i) {
    const NodeParams params(launches_[i].shape, parameters_.data() + launches_[i].at);
    status = driver_.cuGraphAddKernelNode(&nodes_[i], graph_, i == 0 ? nullptr : &nodes_[i - 1], i == 0 ? 0 : 1,
                                          &params.node);
  }
  if (status == CUDA_SUCCESS) status = driver_.cuGraphInstantiateWithFlags(&instance_, graph_, 0);
  if (status == CUDA_SUCCESS) return;
  driver_.cuGraphDestroy(graph_);
  driver_.fail(status, "make a graph of " + std::to_string(launches_.size()) + " launches");
}

Graph::~Graph() {
  driver_.cuGraphExecDestroy(instance_); // whoever destroys it has waited for the stream
  driver_.cuGraphDestroy(graph_);
}

size_t Graph::differing(const std::vector<char> &parameters) const {
  size_t count = 0;
  for (const HeldLaunch &one : launches_)
    count += std::memcmp(parameters_.data() + one.at, parameters.data() + one.at, one.shape.bytes) != 0 ? 1 : 0;
  return count;
}

size_t Graph::update(const std::vector<char> &parameters) {
  size_t count = 0;
  for (size_t i = 0; i < launches_.size(); ++i) {
    const HeldLaunch &one = launches_[i];
    char *const mine = parameters_.data() + one.at;
    if (std::memcmp(mine, parameters.data() + one.at, one.shape.bytes) == 0) continue;
    std::memcpy(mine, parameters.data() + one.at, one.shape.bytes);
    const NodeParams params(one.shape, mine);
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
