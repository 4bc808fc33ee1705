// sparse_test.cpp: messages to processes that do not know of them.
#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace mpi {
namespace {

// Who sends to whom in a round, known to everyone: -1 = nothing, else the length.
using Graph = std::vector<std::vector<long>>; // [from][to]

Graph random_graph(int size, int round) {
  std::mt19937 generator = random(round, size, 3);
  const int density = below(generator, 5); // 0: nobody sends anything
  Graph graph(static_cast<std::size_t>(size));
  for (auto &row : graph)
    for (int to = 0; to < size; ++to)
      row.push_back(below(generator, 4) < density ? static_cast<long>(random_length(generator)) : -1);
  return graph;
}

void exchange_and_check(Job &job, const Graph &graph, int round) {
  const std::size_t own = static_cast<std::size_t>(job.rank());
  std::vector<int> to(static_cast<std::size_t>(job.size()));
  std::iota(to.begin(), to.end(), 0);
  std::erase_if(to, [&](int p) { return graph[own][static_cast<std::size_t>(p)] < 0; });
  std::mt19937 generator = random(round, own);
  std::shuffle(to.begin(), to.end(), generator);
  std::string data = "......"; // offsets need not begin at zero
  std::vector<std::size_t> offset{data.size()};
  for (const int p : to) {
    data += content(static_cast<std::size_t>(graph[own][static_cast<std::size_t>(p)]), job.rank(), p, round);
    offset.push_back(data.size());
  }
  const SparseMessages received = job->sparse_exchange(to, offset, data.data());
  int message = 0;
  for (int from = 0; from < job.size(); ++from) {
    const long length = graph[static_cast<std::size_t>(from)][own];
    if (length < 0) continue;
    ASSERT_LT(message, received.count()) << "round " << round << ": nothing from " << from;
    ASSERT_EQ(from, received.sender(message)) << "round " << round;
    const std::span<const char> got = received.values<char>(message++);
    const std::string expected = content(static_cast<std::size_t>(length), from, job.rank(), round);
    ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end()))
        << "round " << round << " from " << from << ": " << got.size() << " bytes, " << expected.size() << " sent";
  }
  EXPECT_EQ(message, received.count()) << "round " << round << ": more messages than were sent";
}

TEST(Sparse, RandomGraphsOneRightAfterTheOther) {
  Job job;
  for (int round = 0; round < 200; ++round) exchange_and_check(job, random_graph(job.size(), round), round);
}

TEST(Sparse, AllToOneAndOneToAll) {
  Job job;
  const std::size_t size = static_cast<std::size_t>(job.size());
  for (int round = 0; round < 20; ++round) {
    Graph graph(size, std::vector<long>(size, -1));
    const std::size_t centre = static_cast<std::size_t>(round) % size;
    for (std::size_t p = 0; p < size; ++p) (round % 3 ? graph[p][centre] : graph[centre][p]) = round * 10;
    exchange_and_check(job, graph, round);
  }
}

TEST(Sparse, EmptyMessagesArriveToo) {
  Job job;
  const std::size_t size = static_cast<std::size_t>(job.size());
  exchange_and_check(job, Graph(size, std::vector<long>(size, 0)), 0);
}

TEST(Sparse, LongMessagesBothWays) {
  Job job;
  const std::size_t size = static_cast<std::size_t>(job.size());
  exchange_and_check(job, Graph(size, std::vector<long>(size, 3'000'000 / job.size())), 1);
}

// Slow processes must not find the messages of the next exchange in this one.
TEST(Sparse, OthersMayBeAheadByOne) {
  Job job;
  for (int round = 0; round < 300; ++round) {
    const int to = (job.rank() + 1 + round) % job.size();
    const std::vector<int> ranks{to};
    const std::vector<std::size_t> offset{0, sizeof round};
    const SparseMessages received = job->sparse_exchange(ranks, offset, &round);
    ASSERT_EQ(1, received.count());
    ASSERT_EQ(round, received.values<int>(0)[0]);
  }
}

TEST(Sparse, BetweenOtherCollectives) {
  Job job;
  for (int round = 0; round < 30; ++round) {
    exchange_and_check(job, random_graph(job.size(), 1000 + round), round);
    EXPECT_EQ(job.size(), job->sum(1));
    job->barrier();
  }
}

TEST(Sparse, WrongProcessIsAnError) {
  Job job;
  const std::vector<int> ranks{job.size()};
  const std::vector<std::size_t> offset{0, 0};
  EXPECT_THROW(job->sparse_exchange(ranks, offset, nullptr), Error);
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
