// collectives_test.cpp: every collective against what each process computes by itself.
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "support.hpp"

namespace mpi {
namespace {

// The plugin's own entries, for those that Communicator does not offer as they are.
struct Table : unit::Host {
  Table() : unit::Host(OP2_BUILT_PLUGINS) {
    ops = static_cast<const op_comm_ops_v1 *>(registry->get(OP_PLUGIN_COMM, plugin_name())->ops);
    op_comm_params params{};
    params.size = sizeof params;
    params.host = services.table();
    if (ops->open(&params, &comm) != OP_OK) throw Error(OP_ERR_PLUGIN, services.take_failure());
    rank = ops->rank(comm);
    size = ops->size_of(comm);
  }
  ~Table() { ops->close(comm); }
  const op_comm_ops_v1 *ops = nullptr;
  op_comm *comm = nullptr;
  int rank = 0, size = 1;
};

TEST(Job, KnowsItsProcesses) {
  Job job;
  if (const char *size = std::getenv("OP2TEST_RANKS")) {
    EXPECT_EQ(std::atoi(size), job.size());
  }
  const std::vector<std::string> ranks = job->allgather(std::to_string(job.rank()));
  for (int p = 0; p < job.size(); ++p) EXPECT_EQ(std::to_string(p), ranks[static_cast<std::size_t>(p)]);
  EXPECT_EQ(job.size(), job->node_size()); // all on this machine
  EXPECT_EQ(job.rank(), job->node_rank());
}

TEST(Job, OpensAgainAndAgain) {
  for (int i = 0; i < 30; ++i) {
    Job job;
    EXPECT_EQ(job.size(), job->sum(1));
  }
}

TEST(Job, SeveralAtTheSameTimeDoNotMix) {
  Job first, second;
  std::vector<int> to{(first.rank() + 1) % first.size()};
  const std::vector<std::size_t> offset{0, 1};
  const SparseMessages a = first->sparse_exchange(to, offset, "a"), b = second->sparse_exchange(to, offset, "b");
  EXPECT_EQ('a', a.all<char>()[0]);
  EXPECT_EQ('b', b.all<char>()[0]);
}

TEST(Collectives, BarrierWaitsForAll) {
  Job job;
  // All processes are on one machine, whose monotonic clock is the same for all of them.
  using Clock = std::chrono::steady_clock;
  const auto now = [] { return Clock::now().time_since_epoch().count(); };
  for (int round = 0; round < 2 * job.size(); ++round) {
    if (job.rank() == round % job.size()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::int64_t entered = now();
    job->barrier();
    const std::int64_t left = now();
    const std::int64_t last = job->max(entered), first_to_leave = job->min(left);
    EXPECT_GE(first_to_leave, last) << "round " << round << ": somebody went on before the last one had come";
  }
}

TEST(Collectives, BcastFromEveryProcess) {
  Job job;
  for (int round = 0; round < 20; ++round)
    for (int root = 0; root < job.size(); ++root) {
      std::mt19937 generator = random(round, root);
      const std::string sent = content(random_length(generator), root, 0, round);
      std::string data = job.rank() == root ? sent : std::string(sent.size(), 'x');
      job->bcast(data.data(), data.size(), root);
      EXPECT_TRUE(sent == data) << "round " << round << " from " << root;
    }
}

TEST(Collectives, AllgathervInPlaceAndNot) {
  Job job;
  for (int round = 0; round < 20; ++round) {
    std::mt19937 generator = random(round, 5);
    std::vector<std::size_t> offset{static_cast<std::size_t>(round)}; // need not begin at the buffer's start
    std::string expected(offset[0], 'x');
    for (int p = 0; p < job.size(); ++p) {
      const std::string part = content(random_length(generator), p, 0, round);
      offset.push_back(offset.back() + part.size());
      expected += part;
    }
    const std::size_t rank = static_cast<std::size_t>(job.rank()), bytes = offset[rank + 1] - offset[rank];
    std::string all(expected.size(), 'x');
    job->allgatherv(expected.data() + offset[rank], bytes, all.data(), offset.data());
    EXPECT_TRUE(expected == all) << "round " << round;
    std::fill(all.begin(), all.end(), 'x');
    std::memcpy(all.data() + offset[rank], expected.data() + offset[rank], bytes);
    job->allgatherv(all.data() + offset[rank], bytes, all.data(), offset.data());
    EXPECT_TRUE(expected == all) << "in place, round " << round;
  }
}

TEST(Collectives, ExscanOfManyAndZeroOnRankZero) {
  Table table;
  std::vector<std::int64_t> own(1000), sums(1000, 99);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<std::int64_t>(i) * table.rank;
  EXPECT_EQ(OP_OK, table.ops->exscan(table.comm, own.data(), sums.data(), own.size()));
  for (std::size_t i = 0; i < own.size(); ++i)
    EXPECT_EQ(static_cast<std::int64_t>(i) * (table.rank * (table.rank - 1) / 2), sums[i]) << i;
}

TEST(Collectives, ExscanIsTheSumBefore) {
  Job job;
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(large * job.rank() * (job.rank() - 1) / 2, job->sum_before(large * job.rank()));
  EXPECT_EQ(job.rank(), job->sum_before(1));
}

TEST(Collectives, OneNumberSummedAndCompared) {
  Job job;
  const std::int64_t own = (std::int64_t{1} << 40) + job.rank();
  EXPECT_EQ((std::int64_t{1} << 40) * job.size() + job.size() * (job.size() - 1) / 2, job->sum(own));
  EXPECT_EQ(std::int64_t{1} << 40, job->min(own));
  EXPECT_EQ((std::int64_t{1} << 40) + job.size() - 1, job->max(own));
}

TEST(Collectives, WrongRootIsAnError) {
  Job job;
  char byte = 0;
  try {
    job->bcast(&byte, 1, job.size());
    ADD_FAILURE() << "accepted";
  } catch (const Error &error) {
    EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
    EXPECT_NE(std::string::npos, std::string(error.what()).find("there is no process")) << error.what();
  }
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
