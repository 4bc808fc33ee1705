// share_test.cpp: memory of one process in another, and streams that wait for values.
#include "driver.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

namespace {

using cuda::call;
using cuda::DevicePointer;

class Share : public cuda::Driver {};

// The other process starts this test from the beginning, and finds the handle in its environment.
fake::IpcHandle handle_of(DevicePointer memory) {
  constexpr const char *name = "FAKE_TEST_HANDLE";
  fake::IpcHandle handle = {};
  std::string text;
  if (!std::getenv(name)) {
    EXPECT_EQ(call("cuIpcGetMemHandle", &handle, memory), 0);
    for (const char byte : handle.bytes) text += std::to_string(static_cast<int>(byte)) + " ";
    setenv(name, text.c_str(), 1);
  }
  std::istringstream numbers(std::getenv(name));
  int number = 0;
  for (char &byte : handle.bytes) numbers >> number, byte = static_cast<char>(number);
  return handle;
}

TEST_F(Share, ProcessesMapEachOthersMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const DevicePointer mine = upload(std::vector<int>{1, 2, 3});
  const fake::IpcHandle handle = handle_of(mine + 4);
  const auto use = [&] {
    DevicePointer mapped = 0;
    const int opened = call("cuIpcOpenMemHandle", &mapped, handle, 1u);
    const bool same = opened == 0 && download<int>(mapped, 3) == std::vector<int>{1, 2, 3};
    const int given = 9;
    call("cuMemcpyHtoD", mapped + 8, static_cast<const void *>(&given), sizeof given);
    std::exit(same && call("cuIpcCloseMemHandle", mapped) == 0 ? 0 : 1);
  };
  EXPECT_EXIT(use(), testing::ExitedWithCode(0), "");
  unsetenv("FAKE_TEST_HANDLE");
  EXPECT_EQ(download<int>(mine, 3), (std::vector<int>{1, 2, 9}));
  DevicePointer mapped = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(call("cuIpcOpenMemHandle", &mapped, handle, 1u), 201) << "not in the process that owns it";
  testing::internal::GetCapturedStderr();
}

TEST_F(Share, AForkedProcessCannotGoOn) {
  const pid_t child = fork();
  if (child == 0) _exit(call("cuCtxSynchronize") == 3 && call("cuInit", 0u) == 3 ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Share, StreamsWaitForValues) {
  void *const other = new_stream();
  const DevicePointer flag = upload(std::vector<unsigned>{0}), from = upload(std::vector<int>{5}), to = allocate(4);
  int got = 0;
  EXPECT_EQ(call("cuStreamWaitValue32", stream_, flag, 3u, 0u), 0);
  EXPECT_EQ(call("cuMemcpyDtoDAsync", to, from, std::size_t{4}, stream_), 0);
  EXPECT_EQ(call("cuMemsetD32Async", from, 8u, std::size_t{1}, other), 0);
  EXPECT_EQ(call("cuStreamWriteValue32", other, flag, 4u, 0u), 0);
  EXPECT_EQ(call("cuMemcpyDtoHAsync", static_cast<void *>(&got), to, std::size_t{4}, stream_), 0);
  EXPECT_EQ(got, 8);
}

} // namespace

// SPDX-License-Identifier: MIT
