// post_test.cpp: messages at any time, whose receivers do not know of them.
#include <map>

#include "support.hpp"

namespace mpi {
namespace {

// How many messages each process gets from each, known to everyone.
int count_of(int from, int to, int round) {
  std::mt19937 generator = random(round, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  return from == to ? 0 : static_cast<int>(below(generator, 12));
}

std::size_t length_of(int from, int to, int round, int message) {
  std::mt19937 generator = random(round, static_cast<std::size_t>(100 * from + to), static_cast<std::size_t>(message));
  const auto kind = below(generator, 8);
  return kind == 0 ? 0 : kind == 1 ? 100'000 : random_length(generator);
}

// Takes what is there, and checks that it comes in the order in which its sender has posted it.
int take(Job &job, int round, std::map<int, int> &taken) {
  const SparseMessages received = job->poll();
  for (int m = 0; m < received.count(); ++m) {
    const int from = received.sender(m), number = taken[from]++;
    const std::span<const char> got = received.values<char>(m);
    const std::string expected =
        content(length_of(from, job.rank(), round, number), from, job.rank(), 1000 * round + number);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end()))
        << "round " << round << ", message " << number << " from " << from << ": " << got.size() << " bytes, "
        << expected.size() << " posted";
  }
  return received.count();
}

TEST(Post, ManyMessagesWithoutAPattern) {
  Job job;
  for (int round = 0; round < 6; ++round) {
    std::vector<std::pair<int, int>> to; // receiver, number
    int expected = 0;
    for (int p = 0; p < job.size(); ++p) {
      for (int i = 0; i < count_of(job.rank(), p, round); ++i) to.emplace_back(p, i);
      expected += count_of(p, job.rank(), round);
    }
    std::map<int, int> taken;
    int all = 0;
    for (const auto &[p, i] : to) {
      const std::string message = content(length_of(job.rank(), p, round, i), job.rank(), p, 1000 * round + i);
      job->post(p, message.data(), message.size());
      if (i % 3 == 0) all += take(job, round, taken);
    }
    while (all < expected) all += take(job, round, taken);
    EXPECT_EQ(all, expected);
    job->barrier(); // what follows belongs to the next round
    EXPECT_EQ(0, job->poll().count()) << "more messages than were posted";
    job->barrier();
  }
}

TEST(Post, TwoCommunicatorsDoNotMix) {
  Job first, second;
  const int next = (first.rank() + 1) % first.size();
  if (first.size() > 1) {
    second->post(next, "b", 1);
    first->post(next, "a", 1);
    for (auto &[job, expected] : {std::pair<Job *, char>{&first, 'a'}, {&second, 'b'}}) {
      SparseMessages received;
      while (received.count() == 0) received = (*job)->poll();
      EXPECT_EQ(1, received.count());
      EXPECT_EQ(expected, received.all<char>()[0]);
    }
  }
  first->barrier();
}

TEST(Post, BesideCollectives) {
  Job job;
  const int next = (job.rank() + 1) % job.size();
  int next_round = 0; // a neighbour that is ahead may have posted two
  for (int round = 0; round < 10 && job.size() > 1; ++round) {
    job->post(next, &round, sizeof round);
    EXPECT_EQ(job.size(), job->sum(1));
    while (next_round <= round) {
      const SparseMessages received = job->poll();
      for (const int value : received.all<int>()) EXPECT_EQ(value, next_round++);
    }
  }
  EXPECT_EQ(next_round, job.size() > 1 ? 10 : 0);
}

TEST(Post, WrongProcessIsAnError) {
  Job job;
  EXPECT_THROW(job->post(job.size(), "", 0), Error);
  EXPECT_THROW(job->post(-1, "", 0), Error);
  EXPECT_THROW(job->post(job.rank(), "", 0), Error);
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
