// shm_test.cpp: what only communicator shm has: memory a device has pinned, the test of memory, long messages in both
// directions, failures of one process that are everybody's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "host.hpp"
#include "op2/plugin/comm.h"

namespace {

struct Table : unit::Host {
  Table() : unit::Host(OP2_BUILT_PLUGINS) {
    ops = static_cast<const op_comm_ops_v1 *>(registry->get(OP_PLUGIN_COMM, "shm")->ops);
    op_comm_params params{};
    params.size = sizeof params;
    params.host = services.table();
    if (ops->open(&params, &comm) != OP_OK) throw op2::core::Error(OP_ERR_PLUGIN, services.take_failure());
    rank = ops->rank(comm);
    size = ops->size_of(comm);
  }
  ~Table() { ops->close(comm); }
  const op_comm_ops_v1 *ops = nullptr;
  op_comm *comm = nullptr;
  int rank = 0, size = 1;
};

TEST(Shm, SaysWhatMemoryItReaches) {
  Table table;
  op_comm_caps caps{};
  caps.size = sizeof caps;
  ASSERT_EQ(OP_OK, table.ops->caps(table.comm, &caps));
  EXPECT_EQ(OP_SPACE_HOST, caps.spaces[0]);
  EXPECT_EQ(OP_SPACE_CUDA_PINNED, caps.spaces[1]);
  EXPECT_EQ(OP_SPACE_NONE, caps.spaces[2]);
}

TEST(Shm, ProbesMemory) {
  Table table;
  std::vector<char> a(100'000, 'a'), b(100'000, 'b');
  EXPECT_EQ(OP_OK, table.ops->probe_space(table.comm, OP_SPACE_HOST, a.data(), b.data(), a.size()));
  EXPECT_EQ(a, b);
  EXPECT_EQ(OP_OK, table.ops->probe_space(table.comm, OP_SPACE_CUDA_PINNED, a.data(), b.data(), 1));
  EXPECT_EQ(OP_ERR_UNSUPPORTED, table.ops->probe_space(table.comm, OP_SPACE_CUDA, a.data(), b.data(), a.size()));
}

// A ring of messages whose buffers are pinned: a device writes them, so they must go from there.
TEST(Shm, PinnedMessagesStayInTheirBuffers) {
  Table table;
  const std::int32_t to = (table.rank + 1) % table.size, from = (table.rank + table.size - 1) % table.size;
  const std::size_t offset[2] = {0, 1000};
  std::vector<char> out(1000), in(1000);
  op_comm_halo_params params{sizeof params, OP_SPACE_CUDA_PINNED, 1,        1, &to, &from, offset,
                             offset,        out.data(),           in.data()};
  op_comm_halo *halo = nullptr;
  ASSERT_EQ(OP_OK, table.ops->halo_create(table.comm, &params, &halo));
  for (int round = 0; round < 20; ++round) {
    void *place = nullptr;
    const void *arrived = nullptr;
    ASSERT_EQ(OP_OK, table.ops->halo_buffers(table.comm, halo, &place, &arrived));
    EXPECT_EQ(out.data(), place);
    EXPECT_EQ(in.data(), arrived);
    out.assign(1000, static_cast<char>(10 * round + table.rank));
    ASSERT_EQ(OP_OK, table.ops->halo_start(table.comm, halo));
    ASSERT_EQ(OP_OK, table.ops->halo_wait(table.comm, halo));
    EXPECT_EQ(std::vector<char>(1000, static_cast<char>(10 * round + from)), in);
  }
  table.ops->halo_free(table.comm, halo);
}

// Much longer than what lies ready for messages, and then short again.
TEST(Shm, LongAndShortTakeTurns) {
  Table table;
  for (const std::size_t count : {std::size_t{5'000'000}, std::size_t{3}, std::size_t{40'000}, std::size_t{4096}}) {
    std::vector<long long> values(count);
    std::iota(values.begin(), values.end(), table.rank);
    ASSERT_EQ(OP_OK, table.ops->allreduce(table.comm, values.data(), count, OP_TYPE_LL, OP_COMM_SUM));
    const long long all = table.size, ranks = all * (all - 1) / 2;
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(static_cast<long long>(i) * all + ranks, values[i]) << i;
    std::vector<long long> copy(count, table.rank == table.size - 1 ? 7 : 0);
    ASSERT_EQ(OP_OK, table.ops->bcast(table.comm, copy.data(), count * sizeof(long long), table.size - 1));
    EXPECT_EQ(std::vector<long long>(count, 7), copy);
  }
}

TEST(Shm, ProcessesThatDisagreeAllLearnOfIt) {
  Table table;
  if (table.size == 1) GTEST_SKIP() << "needs messages";
  // Lengths of a message.
  const std::int32_t to = (table.rank + 1) % table.size, from = (table.rank + table.size - 1) % table.size;
  const std::size_t sends[2] = {0, table.rank == 0 ? std::size_t{8} : std::size_t{16}}, receives[2] = {0, 16};
  std::vector<char> out(16), in(16);
  op_comm_halo_params params{sizeof params, OP_SPACE_HOST, 1, 1, &to, &from, sends, receives, out.data(), in.data()};
  op_comm_halo *halo = nullptr;
  EXPECT_EQ(OP_ERR_PLUGIN, table.ops->halo_create(table.comm, &params, &halo));
  EXPECT_NE(std::string::npos, table.services.take_failure().find("do not agree how long"));
  // A broadcast: those who expect something else notice.
  const op_status status = table.ops->bcast(table.comm, out.data(), table.rank == 1 ? 4 : 8, 0);
  EXPECT_EQ(table.rank == 1 ? OP_ERR_ARGUMENT : OP_OK, status);
  EXPECT_EQ(OP_OK, table.ops->barrier(table.comm)); // and the next call finds all in the same step
}

} // namespace

// SPDX-License-Identifier: MIT
