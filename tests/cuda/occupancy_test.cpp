// occupancy_test.cpp: blocks that a multiprocessor runs at a time, against what NVIDIA's tables and the study of
// GPUDirect Async say; predicted times.
#include "fake/occupancy.hpp"
#include "fake/predict.hpp"

#include <gtest/gtest.h>

namespace {

struct Row {
  const char *arch;
  int threads, registers, shared, blocks;
};

TEST(Occupancy, FollowsTheLimitsOfTheArchitecture) {
  const Row rows[] = {
      {"sm_35", 64, 37, 0, 16},           // the study's kernel on K20: the number of blocks limits
      {"sm_80", 64, 37, 0, 24},           // registers: 1280 a warp, 51 warps, of which multiples of four, 48
      {"sm_80", 256, 32, 0, 8},           // all 2048 threads
      {"sm_80", 256, 33, 0, 6},           // 1280 registers a warp instead of 1024: 48 warps
      {"sm_80", 256, 255, 0, 1},          // 8192 a warp: eight warps
      {"sm_80", 32, 16, 0, 32},           // the number of blocks
      {"sm_80", 1024, 64, 0, 1},          // 32 warps
      {"sm_80", 1024, 65, 0, 0},          // does not fit
      {"sm_80", 256, 32, (40 << 10), 4},  // 41 KiB of 164
      {"sm_90", 256, 32, (40 << 10), 5},  // of 228
      {"sm_90", 256, 32, (227 << 10), 1}, // the largest block
      {"sm_90", 96, 40, 0, 16},           // 48 warps by threes
      {"sm_90", 33, 32, 0, 32},           // two warps
  };
  for (const Row &row : rows)
    EXPECT_EQ(fake::resident_blocks(*fake::architecture(row.arch), row.threads, row.registers, row.shared), row.blocks)
        << row.arch << ", " << row.threads << " threads, " << row.registers << " registers, " << row.shared << " bytes";
}

// 193 blocks of 64 threads with 37 registers wait for each other on 13 multiprocessors of 2048 threads: all must run.
TEST(Occupancy, TheStudysKernelIsResidentAsAWhole) {
  const fake::Architecture &k20 = *fake::architecture("sm_35");
  EXPECT_EQ(k20.threads, 2048);
  EXPECT_GE(13 * fake::resident_blocks(k20, 64, 37, 0), 193);
  EXPECT_LT(12 * fake::resident_blocks(k20, 64, 37, 0), 193); // and one multiprocessor less does not do
}

TEST(Occupancy, IsAShareOfTheThreads) {
  const fake::Architecture &arch = *fake::architecture("sm_90");
  EXPECT_EQ(fake::occupancy(arch, 256, 32, 0), 1.0);
  EXPECT_EQ(fake::occupancy(arch, 256, 46, 0), 0.625); // 1536 registers a warp: 42 warps, of which 40
  EXPECT_EQ(fake::architecture("sm_1"), nullptr);
}

// The slowest of the limits decides, and threads that are missing slow it down.
TEST(Predicted, TimesFollowTheSlowestLimit) {
  const fake::Gpu gpu{"round", "sm_90", 100, 1e12, 4e12, 1e11, 1e10, 1e-6};
  const auto us = [&](const fake::Work &work) { return 1e6 * fake::predicted_seconds(gpu, work); };
  EXPECT_NEAR(us({0, 0, 0, 0, 100, 1}), 1, 1e-9);
  EXPECT_NEAR(us({1e6, 1e6, 0, 0, 100, 1}), 1 + 1, 1e-9);
  EXPECT_NEAR(us({1e6, 8e6, 0, 0, 100, 1}), 1 + 2, 1e-9);
  EXPECT_NEAR(us({1e6, 8e6, 3e5, 0, 100, 1}), 1 + 3, 1e-9);
  EXPECT_NEAR(us({1e6, 8e6, 3e5, 4e4, 100, 1}), 1 + 4, 1e-9);
  EXPECT_NEAR(us({1e6, 1e6, 0, 0, 100, 0.5}), 1 + 1, 1e-9);
  EXPECT_NEAR(us({1e6, 1e6, 0, 0, 100, 0.25}), 1 + 2, 1e-9);
  EXPECT_NEAR(us({1e6, 1e6, 0, 0, 50, 1}), 1 + 2, 1e-9);
}

} // namespace

// SPDX-License-Identifier: MIT
