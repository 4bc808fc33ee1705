// chunks_test.cpp: reserved addresses, memory for chunks of them, and copies beside the loops.
#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

constexpr size_t chunk = 64 << 10;

class Reserved : public Device {
 protected:
  void open_with_limit() {
    environment("FAKE_CUDA_UNIT", std::to_string(chunk));
    environment("FAKE_CUDA_MEMORY", std::to_string(4 << 20));
    host.settings["OP2_DEVICE_MEMORY_LIMIT"] = "2M";
    open();
    op_exec_caps caps{};
    caps.size = sizeof caps;
    ASSERT_EQ(OP_OK, ops().caps(exec, &caps));
    ASSERT_EQ(chunk, caps.chunk);
  }
  char *reserve(size_t chunks) {
    void *p = nullptr;
    EXPECT_EQ(OP_OK, ops().mem_reserve(exec, chunks * chunk, &p)) << host.failure;
    EXPECT_EQ(0u, reinterpret_cast<size_t>(p) % chunk);
    return static_cast<char *>(p);
  }
  op_status commit(char *at, size_t chunks, bool on) { return ops().mem_commit(exec, at, chunks * chunk, on); }
  void move(void *to, op_space to_space, const void *from, op_space from_space) {
    op_event done = nullptr;
    ASSERT_EQ(OP_OK, ops().mem_move(exec, to, to_space, from, from_space, chunk, &done)) << host.failure;
    finish(done);
  }
};

TEST_F(Reserved, ChunksHaveMemoryInTurns) {
  environment("FAKE_CUDA_LEAKS", "1");
  testing::internal::CaptureStderr();
  open_with_limit();
  constexpr size_t all = 200; // much more than the device has
  char *const array = reserve(all);
  char *const there = alloc(chunk, OP_SPACE_CUDA_PINNED), *const back = alloc(chunk, OP_SPACE_CUDA_PINNED);
  for (size_t i = 0; i < all; ++i) {
    char *const at = array + i * chunk;
    ASSERT_EQ(OP_OK, commit(at, 1, true)) << host.failure;
    std::memset(there, static_cast<int>(i), chunk);
    const std::string ordinary(chunk, static_cast<char>(i));
    move(at, OP_SPACE_CUDA, i % 2 ? there : ordinary.data(), i % 2 ? OP_SPACE_CUDA_PINNED : OP_SPACE_HOST);
    move(back, OP_SPACE_CUDA_PINNED, at, OP_SPACE_CUDA);
    EXPECT_EQ(0, std::memcmp(back, there, chunk)) << i;
    ASSERT_EQ(OP_OK, commit(at, 1, false)) << host.failure;
  }
  ASSERT_EQ(OP_OK, commit(array, 3, true)) << host.failure;
  free(array);
  reserve(2);
  free(there, OP_SPACE_CUDA_PINNED);
  free(back, OP_SPACE_CUDA_PINNED);
  close();
  EXPECT_EQ("", testing::internal::GetCapturedStderr()) << "the driver reports misuse, and what was not freed";
}

TEST_F(Reserved, TooMuchAndPartsOfChunksAreRefused) {
  open_with_limit();
  char *const array = reserve(100);
  EXPECT_EQ(OP_ERR_MEMORY, commit(array, 100, true));
  EXPECT_TRUE(contains(host.failure, "CUDA_ERROR_OUT_OF_MEMORY"));
  EXPECT_EQ(OP_OK, commit(array, 50, true)) << "after a failure all is as before: " << host.failure;
  EXPECT_EQ(OP_ERR_PLUGIN, ops().mem_commit(exec, array + 8, chunk, 1));
  EXPECT_TRUE(contains(host.failure, "not the begin of a chunk"));
  free(array);
}

TEST_F(Reserved, WithoutTheSettingThereAreNone) {
  open();
  void *p = nullptr;
  EXPECT_EQ(OP_ERR_UNSUPPORTED, ops().mem_reserve(exec, chunk, &p));
  EXPECT_TRUE(contains(host.failure, "OP2_DEVICE_MEMORY_LIMIT"));
}

} // namespace

// SPDX-License-Identifier: MIT
