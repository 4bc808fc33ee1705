// graph_test.cpp: captured work runs when a graph is launched, in the order the streams had.
#include "driver.hpp"

namespace {

using cuda::call;
using cuda::DevicePointer;

class Graph : public cuda::Driver {
 protected:
  int begin() { return call("cuStreamBeginCapture", stream_, 0); }
  int end(void **graph) { return call("cuStreamEndCapture", stream_, graph); }
  int set(DevicePointer to, unsigned value, void *stream) {
    return call("cuMemsetD32Async", to, value, std::size_t{1}, stream);
  }
  static void *executable(void *graph) {
    void *made = nullptr;
    EXPECT_EQ(call("cuGraphInstantiate", &made, graph, 0ull), 0);
    return made;
  }
  void *capture_set(DevicePointer to, unsigned value) {
    void *graph = nullptr;
    EXPECT_EQ(begin(), 0);
    EXPECT_EQ(set(to, value, stream_), 0);
    EXPECT_EQ(end(&graph), 0);
    return graph;
  }
};

TEST_F(Graph, RunsWhenLaunched) {
  const DevicePointer device = upload(std::vector<int>{1});
  void *const graph = capture_set(device, 5);
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 1);
  void *const ready = executable(graph);
  EXPECT_EQ(call("cuGraphLaunch", ready, stream_), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 1) << "launched, and nobody has waited";
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 5);
  EXPECT_EQ(call("cuGraphDestroy", graph), 0);
  EXPECT_EQ(call("cuGraphLaunch", ready, stream_), 0);
  EXPECT_EQ(call("cuGraphExecDestroy", ready), 0);
}

// One stream sets a word, another copies it, and the first one takes the copy further.
void *fork_and_join(void *first, void *second, const DevicePointer *word, void *forth, void *back) {
  void *graph = nullptr;
  call("cuStreamBeginCapture", first, 0);
  call("cuMemsetD32Async", word[0], 7u, std::size_t{1}, first);
  call("cuEventRecord", forth, first);
  call("cuStreamWaitEvent", second, forth, 0u);
  call("cuMemcpyDtoDAsync", word[1], word[0], std::size_t{4}, second);
  call("cuEventRecord", back, second);
  if (back) call("cuStreamWaitEvent", first, back, 0u);
  call("cuMemcpyDtoDAsync", word[2], word[1], std::size_t{4}, first);
  EXPECT_EQ(call("cuStreamEndCapture", first, &graph), 0);
  return graph;
}

TEST_F(Graph, StreamsJoinTheCapture) {
  const DevicePointer word[3] = {allocate(4), allocate(4), allocate(4)};
  void *const graph = fork_and_join(stream_, new_stream(), word, new_event(), new_event());
  void *const ready = executable(graph);
  for (int i = 0; i < 3; i++) EXPECT_EQ(call("cuGraphLaunch", ready, stream_), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
  EXPECT_EQ(download<int>(word[2], 1)[0], 7);
}

TEST_F(Graph, WorkThatIsNotJoinedIsAnError) {
  void *const second = new_stream(), *const event = new_event();
  void *graph = nullptr;
  const DevicePointer device = allocate(4);
  EXPECT_EQ(begin(), 0);
  EXPECT_EQ(call("cuEventRecord", event, stream_), 0);
  EXPECT_EQ(call("cuStreamWaitEvent", second, event, 0u), 0);
  EXPECT_EQ(set(device, 1, second), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(end(&graph), 904);
  testing::internal::GetCapturedStderr();
}

TEST_F(Graph, WaitingInsideOfACaptureIsAnError) {
  void *graph = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(begin(), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 900);
  EXPECT_EQ(end(&graph), 901);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(set(allocate(4), 1, stream_), 0); // the stream is as before
}

TEST_F(Graph, TakesNewValues) {
  const DevicePointer device = allocate(4), other = allocate(4);
  void *const ready = executable(capture_set(device, 5));
  fake::GraphUpdateInfo info = {};
  EXPECT_EQ(call("cuGraphExecUpdate", ready, capture_set(other, 6), &info), 0);
  EXPECT_EQ(call("cuGraphLaunch", ready, stream_), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
  EXPECT_EQ(download<int>(other, 1)[0], 6);
  EXPECT_EQ(download<int>(device, 1)[0], -1);
  void *graph = nullptr;
  EXPECT_EQ(begin(), 0);
  EXPECT_EQ(end(&graph), 0);
  EXPECT_EQ(call("cuGraphExecUpdate", ready, graph, &info), 910);
}

} // namespace

// SPDX-License-Identifier: MIT
