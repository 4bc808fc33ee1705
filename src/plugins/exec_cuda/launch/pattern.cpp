#include "launch/pattern.hpp"

#include <algorithm>

namespace op2::exec_cuda {

namespace {

constexpr size_t most_graphs = 3; // of a pattern: for dats that change places in turn

} // namespace

bool Pattern::matches(const LaunchList &list) const {
  return std::ranges::equal(shapes, list.launches(), {}, {}, &LaunchList::One::shape);
}

void Sender::send(const LaunchShape &shape, const void *parameters, const char *name) const {
  void *arguments[] = {const_cast<void *>(parameters)};
  const CUresult status = driver_.cuLaunchKernel(shape.function, shape.grid, 1, 1, shape.block, 1, 1, shape.shared,
                                                 stream_, arguments, nullptr);
  if (status != CUDA_SUCCESS)
    driver_.fail(status, std::string("launch '") + name + "' on " + std::to_string(shape.grid) + " blocks of " +
                             std::to_string(shape.block) + " threads");
}

bool Sender::send(Pattern &pattern, const LaunchList &list) try {
  graph_for(pattern, list).launch(stream_);
  in_graphs_ += list.size();
  ++graph_launches_;
  return true;
} catch (const Failure &failure) {
  const std::string line = std::string("executor cuda: loops are launched one by one from now on: ") + failure.what();
  host_->log(host_, OP_LOG_DEBUG, line.c_str());
  on_ = false;
  return false;
}

// Changing many launches of a graph costs more than having another one.
Graph &Sender::graph_for(Pattern &pattern, const LaunchList &list) {
  Graph *best = nullptr;
  size_t fewest = 0;
  for (const auto &graph : pattern.graphs) {
    const size_t count = graph->differing(list);
    if (best && count >= fewest) continue;
    best = graph.get();
    fewest = count;
    if (count == 0) return *best;
  }
  if (!best || (fewest > pattern.shapes.size() / 4 && pattern.graphs.size() < most_graphs)) {
    pattern.graphs.push_back(std::make_unique<Graph>(driver_, list));
    ++graphs_made_;
    return *pattern.graphs.back();
  }
  changed_ += best->update(list);
  return *best;
}

void Sender::wait() const noexcept { driver_.cuStreamSynchronize(stream_); }

std::string Sender::report() const {
  return std::to_string(in_graphs_) + " of them in " + std::to_string(graph_launches_) + " runs of " +
         std::to_string(graphs_made_) + " graphs, in which " + std::to_string(changed_) + " were given new parameters";
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
