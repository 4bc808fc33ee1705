// services_test.cpp: what plugins get from the core through op_host_v1.
#include "host/plugins/services.hpp"

#include <cstdint>
#include <cstring>

#include "support.hpp"

namespace op2::core {
namespace {

class ServicesTest : public testing::Test {
 protected:
  ServicesTest() {
    unit::clear_environment();
    settings.set("OP2_RACE", "atomic", "test");
  }
  Settings settings = Settings::load(0, nullptr);
  Log log{OP_LOG_WARN};
  Services services{log, settings};
  const op_host_v1 *host = services.table();
};

TEST_F(ServicesTest, TableSaysItsSizeAndVersion) {
  EXPECT_EQ(sizeof(op_host_v1), host->size);
  EXPECT_EQ(OP2_PLUGIN_API, host->api);
}

TEST_F(ServicesTest, FailureIsToldOnce) {
  EXPECT_EQ(OP_ERR_MEMORY, host->fail(host, OP_ERR_MEMORY, "no memory on the device"));
  EXPECT_EQ("no memory on the device", services.take_failure());
  EXPECT_EQ("", services.take_failure());
  host->fail(host, OP_ERR_MEMORY, "first");
  host->fail(host, OP_ERR_MEMORY, "last");
  EXPECT_EQ("last", services.take_failure());
  host->fail(host, OP_ERR_MEMORY, nullptr);
  EXPECT_EQ("", services.take_failure());
}

TEST_F(ServicesTest, FailureIsNeverSuccess) { EXPECT_EQ(OP_ERR_PLUGIN, host->fail(host, OP_OK, "confused")); }

TEST_F(ServicesTest, TablesOfTwoSessionsDoNotMix) {
  Services other(log, settings);
  other.table()->fail(other.table(), OP_ERR_MEMORY, "of the other");
  EXPECT_EQ("", services.take_failure());
  EXPECT_EQ("of the other", other.take_failure());
}

TEST_F(ServicesTest, SettingsAreCopiedOut) {
  char value[32];
  std::memset(value, '?', sizeof value);
  EXPECT_EQ(6, host->config(host, "OP2_RACE", value, sizeof value));
  EXPECT_STREQ("atomic", value);
  EXPECT_EQ(6, host->config(host, "OP2_RACE", value, 5)); // shortened, with its zero, and the length of all of it
  EXPECT_STREQ("atom", value);
  EXPECT_EQ(6, host->config(host, "OP2_RACE", nullptr, 0));
  EXPECT_EQ(6, host->config(host, "OP2_RACE", value, 0));
  EXPECT_STREQ("atom", value);
  EXPECT_EQ(-1, host->config(host, "OP2_NOTHING", value, sizeof value));
  EXPECT_EQ(-1, host->config(host, nullptr, value, sizeof value));
}

TEST_F(ServicesTest, MemoryIsAligned) {
  for (const std::size_t alignment : {16u, 64u, 256u, 4096u})
    for (const std::size_t bytes : {0u, 1u, 63u, 64u, 1000u}) {
      void *p = host->alloc(bytes, alignment);
      ASSERT_NE(nullptr, p);
      EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(p) % alignment);
      std::memset(p, 1, bytes);
      host->free(p);
    }
  host->free(nullptr);
}

TEST_F(ServicesTest, ImpossibleAmountsOfMemoryAreNull) {
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 62, SIZE_MAX - 63, SIZE_MAX / 2})
    EXPECT_EQ(nullptr, host->alloc(bytes, 64)) << bytes;
}

TEST_F(ServicesTest, ClockGoesForwards) {
  const double before = host->now();
  EXPECT_GT(before, 0);
  EXPECT_LE(before, host->now());
}

TEST_F(ServicesTest, LogKeepsItsLevel) {
  testing::internal::CaptureStderr();
  host->log(host, OP_LOG_WARN, "the device is hot");
  host->log(host, OP_LOG_INFO, "not wanted");
  host->log(host, OP_LOG_ERROR, "the device burns");
  host->log(host, OP_LOG_WARN, nullptr);
  EXPECT_EQ("op2: warning: the device is hot\nop2: error: the device burns\nop2: warning: \n",
            testing::internal::GetCapturedStderr());
}

TEST_F(ServicesTest, OnlyTheRootLogsButEveryProcessLogsErrors) {
  Log elsewhere(OP_LOG_DEBUG);
  elsewhere.set_process(3, 4);
  const Services there(elsewhere, settings);
  testing::internal::CaptureStderr();
  there.table()->log(there.table(), OP_LOG_WARN, "said by process 0 already");
  there.table()->log(there.table(), OP_LOG_ERROR, "process 3 burns");
  EXPECT_EQ("op2: rank 3: error: process 3 burns\n", testing::internal::GetCapturedStderr());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
