// fake_test.cpp: the fake driver is as lazy, and as strict, as its tests need it to be.
#include "driver.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

namespace {

using cuda::call;
using cuda::DevicePointer;

class Fake : public cuda::Driver {
 protected:
  static int copy_in(DevicePointer to, const void *from, std::size_t bytes, void *stream) {
    return call("cuMemcpyHtoDAsync", to, from, bytes, stream);
  }
  static int copy_out(void *to, DevicePointer from, std::size_t bytes, void *stream) {
    return call("cuMemcpyDtoHAsync", to, from, bytes, stream);
  }
  static int copy_over(DevicePointer to, DevicePointer from, std::size_t bytes, void *stream) {
    return call("cuMemcpyDtoDAsync", to, from, bytes, stream);
  }
  static int synchronize(void *stream) { return call("cuStreamSynchronize", stream); }
};

// Runs statements in a process that has not used the driver yet, so that it reads its environment there.
class FakeAlone : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static void *start() {
    void *context = nullptr, *stream = nullptr;
    call("cuInit", 0u);
    call("cuDevicePrimaryCtxRetain", &context, 0);
    call("cuCtxPushCurrent", context);
    call("cuStreamCreate", &stream, 1u);
    return stream;
  }
  static DevicePointer allocate(std::size_t bytes) {
    DevicePointer pointer = 0;
    call("cuMemAlloc", &pointer, bytes);
    return pointer;
  }
};
using FakeDeath = FakeAlone;

TEST_F(FakeDeath, HostUseOfADevicePointerDies) {
  EXPECT_DEATH(
      {
        start();
        *reinterpret_cast<volatile int *>(allocate(64)) = 1;
      },
      "");
}

TEST_F(Fake, MemoryIsPoisoned) {
  for (const double x : download<double>(allocate(10 * sizeof(double)), 10)) EXPECT_TRUE(std::isnan(x));
}

TEST_F(Fake, NothingRunsBeforeSomebodyWaits) {
  auto *host = static_cast<int *>(pinned(sizeof(int)));
  const DevicePointer device = allocate(sizeof(int));
  *host = 1;
  EXPECT_EQ(copy_in(device, host, sizeof(int), stream_), 0);
  *host = 2; // pinned memory reused too early: the copy has not been made yet
  EXPECT_EQ(synchronize(stream_), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 2);
}

TEST_F(Fake, PageableMemoryIsReadAtTheCall) {
  int host = 1;
  const DevicePointer device = allocate(sizeof(int));
  EXPECT_EQ(copy_in(device, &host, sizeof(int), stream_), 0);
  host = 2;
  EXPECT_EQ(copy_out(&host, device, sizeof(int), stream_), 0); // to pageable memory: waits
  EXPECT_EQ(host, 1);
}

TEST_F(Fake, CopyToPinnedMemoryComesLater) {
  auto *host = static_cast<int *>(pinned(sizeof(int)));
  *host = 5;
  const DevicePointer device = upload(std::vector<int>{7});
  EXPECT_EQ(copy_out(host, device, sizeof(int), stream_), 0);
  EXPECT_EQ(*host, 5);
  EXPECT_EQ(synchronize(stream_), 0);
  EXPECT_EQ(*host, 7);
}

// A second stream takes what the first one brings. What it gets depends on the wait between them and on nothing else.
int value_through_two_streams(void *first, void *second, void *event, DevicePointer a, DevicePointer b, bool wait) {
  const int given = 42;
  int got = 0;
  call("cuMemcpyHtoDAsync", a, static_cast<const void *>(&given), sizeof(int), first);
  call("cuEventRecord", event, first);
  if (wait) call("cuStreamWaitEvent", second, event, 0u);
  call("cuMemcpyDtoDAsync", b, a, sizeof(int), second);
  call("cuMemcpyDtoHAsync", static_cast<void *>(&got), b, sizeof(int), second);
  return got;
}

TEST_F(Fake, EventsOrderStreams) {
  EXPECT_EQ(value_through_two_streams(stream_, new_stream(), new_event(), allocate(4), allocate(4), true), 42);
}

TEST_F(Fake, WithoutTheEventThereIsPoison) {
  EXPECT_EQ(value_through_two_streams(stream_, new_stream(), new_event(), allocate(4), allocate(4), false), -1);
}

TEST_F(FakeAlone, EventWaitsCanBeDropped) {
  const auto value = [] {
    void *const first = start(), *event = nullptr, *second = nullptr;
    call("cuStreamCreate", &second, 1u);
    call("cuEventCreate", &event, 0u);
    std::exit(value_through_two_streams(first, second, event, allocate(4), allocate(4), true) == -1 ? 0 : 1);
  };
  setenv("FAKE_CUDA_FAULT", "drop_event_wait", 1);
  EXPECT_EXIT(value(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_CUDA_FAULT");
}

TEST_F(FakeAlone, CopiesCanBeLost) {
  const auto second_is_lost = [] {
    start();
    const DevicePointer device = allocate(8);
    const int given[2] = {1, 2};
    int got[2] = {};
    call("cuMemcpyHtoD", device, static_cast<const void *>(given), std::size_t{4});
    call("cuMemcpyHtoD", device + 4, static_cast<const void *>(given + 1), std::size_t{4});
    call("cuMemcpyDtoH", static_cast<void *>(got), device, std::size_t{8});
    std::exit(got[0] == 1 && got[1] == -1 ? 0 : 1);
  };
  setenv("FAKE_CUDA_FAULT", "lose_copy:2", 1);
  EXPECT_EXIT(second_is_lost(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_CUDA_FAULT");
}

TEST_F(Fake, QueriesAdvanceByOne) {
  void *const event = new_event();
  const DevicePointer a = upload(std::vector<int>{1}), b = allocate(4);
  EXPECT_EQ(call("cuStreamQuery", stream_), 0);
  EXPECT_EQ(copy_over(b, a, 4, stream_), 0);
  EXPECT_EQ(call("cuEventRecord", event, stream_), 0);
  EXPECT_EQ(copy_over(b, a, 4, stream_), 0);
  EXPECT_EQ(call("cuEventQuery", event), 600);
  EXPECT_EQ(call("cuEventQuery", event), 0);
  EXPECT_EQ(call("cuStreamQuery", stream_), 0);
}

TEST_F(Fake, WaitingForAnEventRunsNoMore) {
  void *const event = new_event();
  auto *host = static_cast<int *>(pinned(8));
  host[0] = host[1] = 0;
  const DevicePointer device = upload(std::vector<int>{1, 2});
  copy_out(host, device, 4, stream_);
  call("cuEventRecord", event, stream_);
  copy_out(host + 1, device + 4, 4, stream_);
  EXPECT_EQ(call("cuEventSynchronize", event), 0);
  EXPECT_EQ(host[0], 1);
  EXPECT_EQ(host[1], 0);
}

TEST_F(Fake, DefaultStreamIsOrderedWithBlockingStreams) {
  void *blocking = nullptr;
  ASSERT_EQ(call("cuStreamCreate", &blocking, 0u), 0);
  const DevicePointer device = upload(std::vector<int>{0});
  EXPECT_EQ(call("cuMemsetD32Async", device, 3u, std::size_t{1}, blocking), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 3); // a copy in the default stream waits for the blocking one
  EXPECT_EQ(call("cuMemsetD32Async", device, 4u, std::size_t{1}, stream_), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 3); // and not for others
}

TEST_F(Fake, CopiesOutOfBoundsAreRefused) {
  const DevicePointer device = allocate(100);
  std::vector<char> host(200);
  testing::internal::CaptureStderr();
  EXPECT_EQ(call("cuMemcpyHtoD", device, static_cast<const void *>(host.data()), std::size_t{101}), 1);
  EXPECT_EQ(call("cuMemcpyDtoH", static_cast<void *>(host.data()), device + 50, std::size_t{51}), 1);
  EXPECT_EQ(call("cuMemsetD8", device, static_cast<unsigned char>(0), std::size_t{101}), 1);
  EXPECT_EQ(call("cuMemFree", device + 4), 1);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("allocation of 100 bytes"), std::string::npos) << said;
  EXPECT_EQ(call("cuMemFree", device), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(call("cuMemFree", device), 1);
  testing::internal::GetCapturedStderr();
}

TEST_F(Fake, FreedMemoryLivesUntilOlderWorkIsDone) {
  auto *host = static_cast<int *>(pinned(4));
  const DevicePointer device = upload(std::vector<int>{9});
  EXPECT_EQ(copy_out(host, device, 4, stream_), 0);
  EXPECT_EQ(call("cuMemFree", device), 0);
  EXPECT_EQ(synchronize(stream_), 0);
  EXPECT_EQ(*host, 9);
}

TEST_F(Fake, WorkOfADestroyedStreamIsDone) {
  auto *host = static_cast<int *>(pinned(4));
  const DevicePointer device = upload(std::vector<int>{9});
  EXPECT_EQ(copy_out(host, device, 4, stream_), 0);
  EXPECT_EQ(call("cuStreamDestroy", stream_), 0);
  EXPECT_EQ(call("cuCtxSynchronize"), 0);
  EXPECT_EQ(*host, 9);
  testing::internal::CaptureStderr();
  EXPECT_EQ(synchronize(stream_), 400);
  testing::internal::GetCapturedStderr();
}

TEST_F(Fake, HostFunctionsHaveTheirTurn) {
  int calls = 0;
  EXPECT_EQ(
      call(
          "cuLaunchHostFunc", stream_, +[](void *count) { ++*static_cast<int *>(count); }, static_cast<void *>(&calls)),
      0);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(synchronize(stream_), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(Fake, EventsTellTime) {
  void *first = nullptr, *second = nullptr;
  call("cuEventCreate", &first, 0u);
  call("cuEventCreate", &second, 0u);
  call("cuEventRecord", first, stream_);
  call("cuEventRecord", second, stream_);
  float ms = -1;
  EXPECT_EQ(call("cuEventElapsedTime", &ms, first, second), 600);
  EXPECT_EQ(synchronize(stream_), 0);
  EXPECT_EQ(call("cuEventElapsedTime", &ms, first, second), 0);
  EXPECT_GE(ms, 0);
}

TEST_F(Fake, PointersTellWhatTheyAre) {
  const DevicePointer device = allocate(100);
  void *const host = pinned(10);
  int plain = 0;
  unsigned type = 0;
  const auto ask = [&](DevicePointer pointer) {
    return call("cuPointerGetAttribute", static_cast<void *>(&type), 2, pointer);
  };
  EXPECT_EQ(ask(device + 50), 0);
  EXPECT_EQ(type, 2u);
  EXPECT_EQ(ask(reinterpret_cast<DevicePointer>(host)), 0);
  EXPECT_EQ(type, 1u);
  EXPECT_EQ(ask(reinterpret_cast<DevicePointer>(&plain)), 1);
}

TEST_F(Fake, RegisteredMemoryIsPinned) {
  std::vector<int> host(1000, 1);
  void *const start = host.data();
  const DevicePointer device = allocate(4);
  EXPECT_EQ(call("cuMemHostRegister", start, host.size() * sizeof(int), 0u), 0);
  EXPECT_EQ(call("cuMemHostRegister", start, host.size() * sizeof(int), 0u), 712);
  EXPECT_EQ(copy_in(device, host.data(), 4, stream_), 0);
  host[0] = 2;
  EXPECT_EQ(call("cuMemHostUnregister", start), 0);
  EXPECT_EQ(download<int>(device, 1)[0], 2);
  EXPECT_EQ(call("cuMemHostUnregister", start), 713);
}

TEST_F(FakeAlone, MemoryRunsOut) {
  const auto fill = [] {
    start();
    DevicePointer first = 0, second = 0;
    std::size_t left = 0, total = 0;
    const int one = call("cuMemAlloc", &first, std::size_t{700000}),
              two = call("cuMemAlloc", &second, std::size_t{700000});
    call("cuMemGetInfo", &left, &total);
    call("cuMemFree", first);
    std::exit(one == 0 && two == 2 && left == 300000 && call("cuMemAlloc", &second, std::size_t{700000}) == 0 ? 0 : 1);
  };
  setenv("FAKE_CUDA_MEMORY", "1000000", 1);
  EXPECT_EXIT(fill(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_CUDA_MEMORY");
}

TEST_F(FakeAlone, DevicesAreAsTheEnvironmentSays) {
  const auto with = [](const char *name, const char *value, int code) {
    setenv(name, value, 1);
    EXPECT_EXIT(std::exit(call("cuInit", 0u)), testing::ExitedWithCode(code), "") << name;
    unsetenv(name);
  };
  with("FAKE_CUDA_DEVICES", "0", 100);
  with("FAKE_CUDA_INIT", "34", 34);
  const auto arch = [] {
    int major = 0, minor = 0, count = 0;
    call("cuInit", 0u);
    call("cuDeviceGetCount", &count);
    call("cuDeviceGetAttribute", &major, 75, 1);
    call("cuDeviceGetAttribute", &minor, 76, 1);
    std::exit(count == 2 && major == 8 && minor == 6 ? 0 : 1);
  };
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  setenv("FAKE_CUDA_ARCH", "86", 1);
  EXPECT_EXIT(arch(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_CUDA_DEVICES");
  unsetenv("FAKE_CUDA_ARCH");
}

TEST_F(FakeAlone, LeaksAreReported) {
  const auto leak = [](bool release) {
    start();
    allocate(1234);
    if (release) call("cuDevicePrimaryCtxRelease", 0);
    std::exit(0);
  };
  setenv("FAKE_CUDA_LEAKS", "1", 1);
  const char *const words = "leak: device memory .1234 bytes.[^\n]*\n.*leak: stream[^\n]*\n.*leaks: 2";
  EXPECT_EXIT(leak(true), testing::ExitedWithCode(0), words);
  EXPECT_EXIT(leak(false), testing::ExitedWithCode(0), words); // at the end of the process
  unsetenv("FAKE_CUDA_LEAKS");
}

TEST_F(FakeAlone, CallsAreTraced) {
  const auto work = [] {
    void *const stream = start();
    call("cuMemsetD8Async", allocate(64), static_cast<unsigned char>(0), std::size_t{64}, stream);
    call("cuStreamSynchronize", stream);
    std::exit(0);
  };
  // The process of its own comes by here too, and keeps the name.
  setenv("FAKE_CUDA_TRACE", (testing::TempDir() + "fake_trace_" + std::to_string(getpid())).c_str(), 0);
  const std::string file = std::getenv("FAKE_CUDA_TRACE");
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_CUDA_TRACE");
  std::ifstream lines(file);
  const std::string text{std::istreambuf_iterator<char>(lines), {}};
  EXPECT_NE(text.find("cuMemsetD8Async bytes=64 stream=1 -> 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("run fill bytes=64 stream=1\n"), std::string::npos) << text;
  std::remove(file.c_str());
}

TEST_F(Fake, NothingWorksWithoutAContext) {
  ASSERT_EQ(call("cuCtxPopCurrent", &context_), 0);
  DevicePointer pointer = 0;
  EXPECT_EQ(call("cuMemAlloc", &pointer, std::size_t{8}), 201);
  ASSERT_EQ(call("cuCtxPushCurrent", context_), 0);
}

TEST_F(Fake, ErrorsHaveNames) {
  const char *name = nullptr;
  EXPECT_EQ(call("cuGetErrorName", 2, &name), 0);
  EXPECT_STREQ(name, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(call("cuGetErrorName", 12345, &name), 1);
}

} // namespace

// SPDX-License-Identifier: MIT
