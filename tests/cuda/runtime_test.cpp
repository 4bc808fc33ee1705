// runtime_test.cpp: memory, events and halos of executor cuda on the fake driver, whose device memory the host cannot
// touch and whose streams do nothing until somebody waits for them.
#include <numeric>

#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

using Memory = Device;
using Events = Device;

TEST_F(Memory, AnyNumberOfBytesComesBack) {
  open();
  for (const size_t bytes : {1u, 100u, 32768u, 32769u, 300000u, 5u << 20 | 7u}) {
    const std::vector<char> values = pattern(bytes, static_cast<unsigned>(bytes));
    char *device = alloc(bytes);
    put(device, values);
    EXPECT_EQ(values, get(device, bytes)) << bytes << " bytes";
    char *second = alloc(bytes);
    finish(copy(second, OP_SPACE_CUDA, device, OP_SPACE_CUDA, bytes));
    free(device);
    EXPECT_EQ(values, get(second, bytes)) << bytes << " bytes, copied on the device";
    free(second);
  }
}

TEST_F(Memory, ZeroComesInItsTurn) {
  open();
  std::vector<char> values = pattern(1000, 1);
  char *device = alloc(1000);
  put(device, values);
  ASSERT_EQ(OP_OK, ops().mem_zero(exec, OP_SPACE_CUDA, device + 100, 50));
  put(device + 120, std::vector<char>(10, 'x'));
  std::fill_n(values.begin() + 100, 50, '\0');
  std::fill_n(values.begin() + 120, 10, 'x');
  EXPECT_EQ(values, get(device, 1000));
  free(device);
}

TEST_F(Memory, EverySpaceToEverySpace) {
  open();
  const std::vector<char> values = pattern(200000, 2);
  const op_space spaces[] = {OP_SPACE_HOST, OP_SPACE_CUDA_PINNED, OP_SPACE_CUDA};
  for (const op_space from : spaces)
    for (const op_space to : spaces) {
      char *source = alloc(values.size(), from);
      char *target = alloc(values.size(), to);
      finish(copy(source, from, values.data(), OP_SPACE_HOST, values.size()));
      finish(copy(target, to, source, from, values.size()));
      EXPECT_EQ(values, get(target, values.size(), to)) << from << " to " << to;
      ASSERT_EQ(OP_OK, ops().mem_zero(exec, to, target, values.size()));
      EXPECT_EQ(std::vector<char>(values.size(), '\0'), get(target, values.size(), to)) << to;
      free(source, from);
      free(target, to);
    }
}

// The program may change its array as soon as the call returns, though the device has copied nothing yet.
TEST_F(Memory, OrdinaryMemoryIsReadAtTheCall) {
  open();
  constexpr size_t bytes = 7000000; // several pieces
  char *device = alloc(8 * bytes);
  for (unsigned i = 0; i < 8; ++i) {
    std::vector<char> values = pattern(i % 2 ? bytes : 20000, i);
    op_event done = copy(device + i * bytes, OP_SPACE_CUDA, values.data(), OP_SPACE_HOST, values.size());
    EXPECT_EQ(nullptr, done) << "nothing to wait for";
    std::fill(values.begin(), values.end(), '!');
  }
  for (unsigned i = 0; i < 8; ++i) {
    const std::vector<char> values = pattern(i % 2 ? bytes : 20000, i);
    EXPECT_EQ(values, get(device + i * bytes, values.size())) << "copy " << i;
  }
  free(device);
}

TEST_F(Memory, SmallCopiesPassThroughARingManyTimes) {
  open();
  constexpr size_t length = 1000, count = 2000; // 2 MB through a ring of 256 KiB
  int *device = alloc<int>(length * count);
  for (size_t i = 0; i < count; ++i) {
    std::vector<int> values(length, static_cast<int>(i));
    EXPECT_EQ(nullptr, copy(device + i * length, OP_SPACE_CUDA, values.data(), OP_SPACE_HOST, length * sizeof(int)));
  }
  const std::vector<int> back = get(device, length * count);
  for (size_t i = 0; i < back.size(); ++i) ASSERT_EQ(static_cast<int>(i / length), back[i]) << "value " << i;
  free(device);
}

TEST_F(Memory, PageLockedSourceBelongsToTheCopyUntilItsEvent) {
  open();
  char *pinned = alloc(4096, OP_SPACE_CUDA_PINNED);
  char *device = alloc(4096);
  std::memset(pinned, 'a', 4096);
  op_event done = copy(device, OP_SPACE_CUDA, pinned, OP_SPACE_CUDA_PINNED, 4096);
  ASSERT_NE(nullptr, done);
  finish(done);
  std::memset(pinned, 'b', 4096);
  EXPECT_EQ(std::vector<char>(4096, 'a'), get(device, 4096));
  // Without the wait the device sees what was written meanwhile.
  done = copy(device, OP_SPACE_CUDA, pinned, OP_SPACE_CUDA_PINNED, 4096);
  std::memset(pinned, 'c', 4096);
  finish(done);
  EXPECT_EQ(std::vector<char>(4096, 'c'), get(device, 4096)) << "the fake driver copies when somebody waits";
  free(device);
  free(pinned, OP_SPACE_CUDA_PINNED);
}

TEST_F(Memory, UnknownSpaceAndTooMuchAreRefusedInWords) {
  environment("FAKE_CUDA_MEMORY", std::to_string(64 << 20));
  open();
  void *p = nullptr;
  EXPECT_EQ(OP_ERR_UNSUPPORTED, ops().mem_alloc(exec, OP_SPACE_CUDA_MANAGED, 8, &p));
  EXPECT_TRUE(contains(host.failure, "space 13"));
  char *some = alloc(16 << 20);
  EXPECT_EQ(OP_ERR_MEMORY, ops().mem_alloc(exec, OP_SPACE_CUDA, 100 << 20, &p));
  EXPECT_TRUE(contains(host.failure, "100 MiB wanted"));
  EXPECT_TRUE(contains(host.failure, "64 MiB are free 4"));
  EXPECT_TRUE(contains(host.failure, "CUDA_ERROR_OUT_OF_MEMORY"));
  free(some);
}

TEST_F(Memory, ClosingGivesEverythingBack) {
  environment("FAKE_CUDA_LEAKS", "1");
  testing::internal::CaptureStderr();
  open();
  char *first = alloc(100000);
  put(first, pattern(100000, 1));
  free(first);
  EXPECT_EQ(1, primary_context_is_active());
  close();
  EXPECT_EQ(0, primary_context_is_active());
  EXPECT_EQ("", testing::internal::GetCapturedStderr()) << "the driver reports what was not freed";
  open(); // the same driver once more
  char *device = alloc(3);
  put(device, {'a', 'b', 'c'});
  EXPECT_EQ((std::vector<char>{'a', 'b', 'c'}), get(device, 3));
  free(device);
}

TEST_F(Events, AreAskedAndWaitedFor) {
  open();
  char *pinned = alloc(64, OP_SPACE_CUDA_PINNED);
  char *device = alloc(64);
  op_event done = copy(device, OP_SPACE_CUDA, pinned, OP_SPACE_CUDA_PINNED, 64);
  EXPECT_EQ(0, ops().event_query(exec, done)) << "nobody has waited";
  int asked = 1;
  while (!ops().event_query(exec, done) && asked < 1000) ++asked;
  EXPECT_LT(asked, 1000) << "asking lets it come past";
  finish(done);
  EXPECT_EQ(1, ops().event_query(exec, nullptr));
  EXPECT_EQ(OP_OK, ops().event_wait(exec, nullptr));
  ops().event_free(exec, nullptr);
  free(device);
  free(pinned, OP_SPACE_CUDA_PINNED);
}

TEST_F(Events, MarksTellTheTimeBetweenThem) {
  open();
  char *device = alloc(1 << 20);
  for (const int32_t queue : {0, 1}) {
    op_event from = nullptr, to = nullptr;
    ASSERT_EQ(OP_OK, ops().mark(exec, queue, &from)) << host.failure;
    ASSERT_EQ(OP_OK, ops().mem_zero(exec, OP_SPACE_CUDA, device, 1 << 20));
    ASSERT_EQ(OP_OK, ops().mark(exec, queue, &to));
    double there = 0, back = 0;
    EXPECT_NE(OP_OK, ops().elapsed(exec, from, to, &there)) << "nobody has waited";
    ASSERT_EQ(OP_OK, ops().event_wait(exec, to));
    EXPECT_EQ(OP_OK, ops().elapsed(exec, from, to, &there)) << host.failure;
    EXPECT_EQ(OP_OK, ops().elapsed(exec, to, from, &back));
    EXPECT_GE(there, 0);
    EXPECT_LT(there, 60) << "seconds, not milliseconds";
    EXPECT_EQ(-there, back);
    ops().event_free(exec, from);
    ops().event_free(exec, to);
  }
  free(device);
}

TEST_F(Device, SaysWhatItIs) {
  open();
  op_exec_caps caps{};
  caps.size = sizeof caps;
  ASSERT_EQ(OP_OK, ops().caps(exec, &caps));
  EXPECT_EQ(OP_SPACE_CUDA, caps.space);
  EXPECT_EQ(1, caps.separate_memory);
  EXPECT_EQ(OP_SPACE_CUDA, caps.transport[0]);
  EXPECT_EQ(OP_SPACE_CUDA_PINNED, caps.transport[1]);
  EXPECT_EQ(OP_SPACE_HOST, caps.transport[2]);
  EXPECT_EQ(OP_SPACE_NONE, caps.transport[3]);
  EXPECT_EQ(1, caps.asynchronous);
  EXPECT_EQ(1, caps.device_text);
  EXPECT_GT(caps.concurrency, 0);
  EXPECT_TRUE(contains(host.log, "sm_90"));
}

TEST_F(Device, ProcessesOfAMachineTakeTurns) {
  environment("FAKE_CUDA_DEVICES", "3");
  for (const int rank : {0, 1, 2, 4}) {
    ASSERT_EQ(OP_OK, try_open(rank)) << host.failure;
    EXPECT_TRUE(contains(host.log, "device " + std::to_string(rank % 3) + " of 3"));
    close();
  }
  ASSERT_EQ(OP_OK, try_open(0, 2)) << host.failure;
  EXPECT_TRUE(contains(host.log, "device 2 of 3"));
  close();
  EXPECT_EQ(OP_ERR_ARGUMENT, try_open(0, 3));
  EXPECT_TRUE(contains(host.failure, "there are 3"));
}

} // namespace

// SPDX-License-Identifier: MIT
