// driver_graph.cpp: entry points of captures and graphs.
#include "call.hpp"
#include "capture.hpp"
#include "launch.hpp"

using namespace fake;

namespace {

using Graphs = std::map<void *, std::unique_ptr<Graph>>;

Graph *find(Graphs &graphs, void *handle) {
  const auto found = graphs.find(handle);
  return found == graphs.end() ? nullptr : found->second.get();
}

void *keep(Graphs &graphs, Graph graph) {
  auto kept = std::make_unique<Graph>(std::move(graph));
  void *handle = kept.get();
  graphs[handle] = std::move(kept);
  return handle;
}

void *handle_of(const Captured &item) {
  return reinterpret_cast<void *>(static_cast<std::uintptr_t>(item.node)); // NOLINT: a number
}

int instantiate(const Call &call, void **executable, void *handle) {
  const Graph *graph = find(state().graphs, handle);
  if (!graph || !executable) return call.refuse(invalid_value, "no such graph");
  if (state().settings.fault == "graph_instantiate") return call.answer(out_of_memory);
  *executable = keep(state().executables, *graph);
  return call.answer(success);
}

} // namespace

FAKE_ENTRY cuStreamBeginCapture_v2(void *handle, int) {
  FAKE_CALL("cuStreamBeginCapture", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  if (stream == current_device()->legacy) return call.refuse(capture_unsupported, "the default stream");
  if (stream->capture) return call.answer(not_permitted);
  stream->capture = std::make_shared<Capture>(stream);
  return call.answer(success);
}

FAKE_ENTRY cuStreamEndCapture(void *handle, void **graph) {
  FAKE_CALL("cuStreamEndCapture", "stream", id_of(handle));
  const auto stream = stream_of(handle);
  if (!stream || !stream->capture || !graph) return call.refuse(invalid_value, "no capture");
  const std::shared_ptr<Capture> capture = stream->capture;
  *graph = nullptr;
  if (!capture->began_in(stream)) return call.answer(capture_unmatched);
  const bool joined = capture->end();
  if (capture->spoilt()) return call.answer(capture_invalidated);
  if (!joined) return call.refuse(capture_unjoined, "work of another stream was not waited for");
  *graph = keep(state().graphs, capture->graph());
  return call.answer(success);
}

FAKE_ENTRY cuStreamIsCapturing(void *handle, int *status) {
  FAKE_CALL("cuStreamIsCapturing");
  const auto stream = stream_of(handle);
  if (!stream) return call.refuse(invalid_handle, "no such stream");
  *status = !stream->capture ? 0 : stream->capture->spoilt() ? 2 : 1;
  return call.answer(success);
}

FAKE_ENTRY cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  FAKE_CALL("cuGraphInstantiateWithFlags");
  return instantiate(call, executable, graph);
}
// As of version 12 the same under the short name.
FAKE_ENTRY cuGraphInstantiate(void **executable, void *graph, unsigned long long) {
  FAKE_CALL("cuGraphInstantiate");
  return instantiate(call, executable, graph);
}

FAKE_ENTRY cuGraphUpload(void *, void *) {
  FAKE_CALL("cuGraphUpload");
  return call.answer(success);
}

FAKE_ENTRY cuGraphLaunch(void *executable, void *handle) {
  FAKE_CALL("cuGraphLaunch", "stream", id_of(handle));
  if (state().settings.fault == "graph_launch") return call.answer(out_of_memory);
  const Graph *graph = find(state().executables, executable);
  const auto stream = stream_of(handle);
  if (!graph || !stream) return call.refuse(invalid_value, "no such graph or stream");
  if (stream->capture) return call.refuse(not_supported, "a graph inside of a capture");
  for (const Captured &item : graph->items)
    if (item.function && !is_loaded(item.function)) return call.refuse(invalid_handle, "a function that is unloaded");
  issue_graph(stream, *graph);
  return call.answer(success);
}

FAKE_ENTRY cuGraphGetNodes(void *handle, void **nodes, std::size_t *count) {
  FAKE_CALL("cuGraphGetNodes");
  Graph *graph = find(state().graphs, handle);
  if (!graph || !count) return call.refuse(invalid_value, "no such graph");
  std::size_t found = 0;
  for (Captured &item : graph->items) {
    if (!item.op.run) continue; // a wait is an edge
    if (nodes && found < *count) nodes[found] = &item;
    found++;
  }
  *count = nodes ? std::min(found, *count) : found;
  return call.answer(success);
}

FAKE_ENTRY cuGraphExecUpdate_v2(void *executable, void *handle, GraphUpdateInfo *info) {
  FAKE_CALL("cuGraphExecUpdate");
  Graph *old = find(state().executables, executable);
  const Graph *graph = find(state().graphs, handle);
  if (!old || !graph || !info) return call.refuse(invalid_value, "no such graph");
  const bool same = same_form(*old, *graph);
  *info = GraphUpdateInfo{same ? 0 : 2, nullptr, nullptr}; // 2: the topology has changed
  if (!same) return call.answer(graph_update_failure);
  *old = *graph;
  return call.answer(success);
}

FAKE_ENTRY cuGraphCreate(void **graph, unsigned flags) {
  FAKE_CALL("cuGraphCreate");
  if (!graph || flags != 0) return call.answer(invalid_value);
  *graph = keep(state().graphs, Graph{});
  return call.answer(success);
}

// Chains only: a node depends on the one before it.
FAKE_ENTRY cuGraphAddKernelNode_v2(void **node, void *handle, void *const *before, std::size_t count,
                                   const KernelNode *wanted) {
  FAKE_CALL("cuGraphAddKernelNode");
  Graph *graph = find(state().graphs, handle);
  if (!graph || !node || !wanted) return call.refuse(invalid_value, "no such graph");
  const bool chain = graph->items.empty() ? count == 0 : count == 1 && before[0] == handle_of(graph->items.back());
  if (!chain) return call.refuse(not_supported, "a graph that is no chain");
  int answer = success;
  const auto launch = make_launch(call, *wanted, answer);
  if (!launch) return answer;
  graph->items.push_back(Captured{0, op_of(launch), 0, 0, ++state().serial, launch->function});
  *node = handle_of(graph->items.back());
  return call.answer(success);
}

FAKE_ENTRY cuGraphExecKernelNodeSetParams_v2(void *executable, void *node, const KernelNode *wanted) {
  FAKE_CALL("cuGraphExecKernelNodeSetParams");
  Graph *graph = find(state().executables, executable);
  if (!graph || !wanted) return call.refuse(invalid_value, "no such graph");
  const auto found = std::find_if(graph->items.begin(), graph->items.end(),
                                  [&](const Captured &item) { return item.node != 0 && handle_of(item) == node; });
  if (found == graph->items.end()) return call.refuse(invalid_value, "no such node");
  if (state().settings.fault == "graph_update") return call.answer(graph_update_failure);
  if (state().settings.fault == "lose_update") return call.answer(success);
  int answer = success;
  const auto launch = make_launch(call, *wanted, answer);
  if (!launch) return answer;
  found->op = op_of(launch);
  found->function = launch->function;
  return call.answer(success);
}

FAKE_ENTRY cuGraphDestroy(void *graph) {
  FAKE_CALL("cuGraphDestroy");
  return call.answer(state().graphs.erase(graph) ? success : invalid_value);
}

FAKE_ENTRY cuGraphExecDestroy(void *executable) {
  FAKE_CALL("cuGraphExecDestroy");
  return call.answer(state().executables.erase(executable) ? success : invalid_value);
}

// SPDX-License-Identifier: MIT
