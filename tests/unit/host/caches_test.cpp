// caches_test.cpp: what OP2_CHAIN_TILE says, and the sizes of tiles that are tried.
#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "host/cache_size.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

Caches caches(const char *given, int processes = 1) {
  const unit::Environment environment{{"OP2_CHAIN_TILE", given}};
  const char *const words[] = {"program"};
  return caches_of(Settings::load(1, words), processes);
}

TEST(Caches, AreAsGivenOrAsTheSystemReports) {
  EXPECT_EQ(1024.0 * 512, caches("512,8192").own);
  EXPECT_EQ(1024.0 * 8192, caches("512,8192", 4).last); // already a share
  EXPECT_GE(caches("0").own, 64.0 * 1024);
  EXPECT_GE(caches("0").last, caches("0").own / 64);
  EXPECT_GT(caches("0").last, caches("0", 64 * 1024).last);
  for (const char *const wrong : {"512,", "512,0", "512,-1", "512,1M", "1,2,3", ",", "1,2,"})
    EXPECT_THROW(caches(wrong), Error) << wrong;
}

TEST(Caches, OneNumberIsATile) {
  const auto tile = [](const char *given) {
    const unit::Environment environment{{"OP2_CHAIN_TILE", given}};
    const char *const words[] = {"program"};
    return tile_bytes_of(Settings::load(1, words));
  };
  EXPECT_EQ(1024.0 * 512, tile("512"));
  EXPECT_EQ(0, tile("0"));
  EXPECT_EQ(0, tile("512,8192"));
  EXPECT_EQ(caches("0").own, caches("512").own);
  for (const char *const wrong : {"", "-1", "1M", "many"}) EXPECT_THROW(tile(wrong), Error) << wrong;
}

// Whatever the system reports: three sizes that differ, from half of the core's own cache on.
TEST(Caches, TilesSpanWhatMayBeTrue) {
  for (const double own : {64e3, 1e6, 64e6})
    for (const double last : {64e3, 8e6, 32e6, 1e9})
      for (const int threads : {0, 1, 64}) {
        const auto sizes = tile_sizes({own, last}, threads);
        EXPECT_EQ(own / 2, sizes[0]);
        EXPECT_GE(sizes[1], 1.99 * sizes[0]);
        EXPECT_NEAR(sizes[1] / sizes[0], sizes[2] / sizes[1], 1e-9 * sizes[2] / sizes[1]);
        EXPECT_GE(sizes[2], last / 8 / std::max(threads, 1));
      }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
