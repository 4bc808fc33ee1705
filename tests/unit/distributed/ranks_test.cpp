// ranks_test.cpp: ranks as threads of one process: every entry of the communicator, and what happens when ranks
// disagree, fail or leave.
#include "ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

using op2::core::Communicator;
using op2::core::SparseMessages;
using unit::contains;
using unit::run_ranks;
using unit::thrown_by;

class Ranks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Ranks, testing::Values(1, 2, 3, 4, 7), testing::PrintToStringParamName());

TEST_P(Ranks, know_who_they_are) {
  std::atomic<int> seen{0};
  run_ranks(GetParam(), [&](Communicator &ranks) {
    EXPECT_EQ(ranks.size(), GetParam());
    EXPECT_EQ(ranks.node_size(), GetParam());
    EXPECT_EQ(ranks.node_rank(), ranks.rank());
    seen += 1 << ranks.rank();
  });
  EXPECT_EQ(seen, (1 << GetParam()) - 1);
}

TEST_P(Ranks, wait_for_each_other_in_a_barrier) {
  std::atomic<int> before{0};
  run_ranks(GetParam(), [&](Communicator &ranks) {
    for (int round = 1; round <= 50; ++round) {
      ++before;
      ranks.barrier();
      EXPECT_GE(before.load(), round * ranks.size());
      ranks.barrier();
    }
  });
}

TEST_P(Ranks, reduce_every_type) {
  run_ranks(GetParam(), [](Communicator &ranks) {
    const int n = ranks.size(), me = ranks.rank();
    EXPECT_EQ(ranks.sum(me + 1), n * (n + 1) / 2);
    EXPECT_EQ(ranks.min(me + 5), 5);
    EXPECT_EQ(ranks.max(me), n - 1);
    EXPECT_EQ(ranks.sum_before(me + 1), me * (me + 1) / 2);
    double values[] = {0.5 * me, -1.0};
    ranks.allreduce(values, 2, OP_TYPE_DOUBLE, OP_COMM_SUM);
    EXPECT_EQ(values[0], 0.25 * n * (n - 1));
    EXPECT_EQ(values[1], -n);
    float low = static_cast<float>(me);
    ranks.allreduce(&low, 1, OP_TYPE_FLOAT, OP_COMM_MIN);
    EXPECT_EQ(low, 0.0f);
    unsigned long long high = std::numeric_limits<unsigned long long>::max() - static_cast<unsigned>(me);
    ranks.allreduce(&high, 1, OP_TYPE_ULL, OP_COMM_MAX);
    EXPECT_EQ(high, std::numeric_limits<unsigned long long>::max());
    bool any = me == n - 1;
    ranks.allreduce(&any, 1, OP_TYPE_BOOL, OP_COMM_MAX);
    EXPECT_TRUE(any);
  });
}

TEST_P(Ranks, spread_and_gather) {
  run_ranks(GetParam(), [](Communicator &ranks) {
    const std::size_t n = static_cast<std::size_t>(ranks.size()), me = static_cast<std::size_t>(ranks.rank());
    int word = ranks.rank() == ranks.size() - 1 ? 42 : 0;
    ranks.bcast(&word, sizeof word, ranks.size() - 1);
    EXPECT_EQ(word, 42);
    const std::vector<std::string> all = ranks.allgather(std::string(me, static_cast<char>('a' + ranks.rank())));
    for (std::size_t r = 0; r < n; ++r) EXPECT_EQ(all[r], std::string(r, static_cast<char>('a' + r)));
  });
}

TEST_P(Ranks, combine_records_in_the_order_of_ranks) {
  run_ranks(GetParam(), [](Communicator &ranks) {
    struct Digits {
      char text[8];
    } own{{static_cast<char>('0' + ranks.rank())}};
    ranks.allreduce_record(
        &own, sizeof own,
        [](void *, void *into, const void *later) {
          char *end = static_cast<Digits *>(into)->text;
          end += std::string(end).size();
          std::copy_n(static_cast<const Digits *>(later)->text, 2, end);
        },
        nullptr);
    EXPECT_EQ(std::string(own.text), std::string("0123456").substr(0, static_cast<std::size_t>(ranks.size())));
  });
}

// Rank r sends r copies of r to r + 1 and r + 2, and to itself when those are the same.
TEST_P(Ranks, send_to_those_who_do_not_know) {
  run_ranks(GetParam(), [](Communicator &ranks) {
    const int n = ranks.size(), me = ranks.rank();
    std::vector<int> to{(me + 1) % n};
    if (n > 1) to.push_back((me + 2) % n);
    const std::vector<int> data(2 * static_cast<std::size_t>(me), me);
    const std::size_t bytes = static_cast<std::size_t>(me) * sizeof(int);
    const std::size_t offset[] = {0, bytes, 2 * bytes};
    const SparseMessages received = ranks.sparse_exchange(to, offset, data.data());
    ASSERT_EQ(received.count(), n > 1 ? 2 : 1);
    for (int m = 0; m < received.count(); ++m) {
      const int from = received.sender(m);
      EXPECT_GT(from, m > 0 ? received.sender(m - 1) : -1);
      EXPECT_TRUE(from == (me + n - 1) % n || from == (me + 2 * n - 2) % n);
      EXPECT_EQ(std::vector<int>(received.values<int>(m).begin(), received.values<int>(m).end()),
                std::vector<int>(static_cast<std::size_t>(from), from));
    }
  });
}

TEST_P(Ranks, exchange_halos_again_and_again) {
  run_ranks(GetParam(), [](Communicator &ranks) {
    const int n = ranks.size(), me = ranks.rank(), right = (me + 1) % n, left = (me + n - 1) % n;
    double out = 0, in = 0;
    const std::size_t offset[] = {0, sizeof out};
    op_comm_halo_params params{};
    params.size = sizeof params;
    params.space = OP_SPACE_HOST;
    params.nsend = params.nrecv = 1;
    params.send_rank = &right;
    params.recv_rank = &left;
    params.send_offset = params.recv_offset = offset;
    params.send_buffer = &out;
    params.recv_buffer = &in;
    op_comm_halo *halo = ranks.halo_create(params);
    for (int round = 0; round < 20; ++round) {
      out = 100 * round + me;
      ranks.halo_start(halo);
      while (round % 2 == 0 && !ranks.halo_test(halo)) std::this_thread::yield();
      ranks.halo_wait(halo);
      EXPECT_EQ(in, 100 * round + left);
    }
    ranks.halo_free(halo);
  });
}

TEST_P(Ranks, choose_one_to_tell_of_a_failure) {
  std::atomic<int> tellers{0};
  run_ranks(GetParam(), [&](Communicator &ranks) { tellers += ranks.claim_failure() ? 1 : 0; });
  EXPECT_EQ(tellers, 1);
}

// Nobody hangs, and the exception of the rank that failed comes out.
TEST_P(Ranks, end_when_one_throws) {
  EXPECT_THROW(run_ranks(GetParam(),
                         [](Communicator &ranks) {
                           ranks.barrier();
                           if (ranks.rank() == ranks.size() - 1) throw std::length_error("mine");
                           ranks.sum(1);
                         }),
               std::length_error);
}

std::string failure_of(int processes, const std::function<void(Communicator &)> &body) {
  return thrown_by([&] { run_ranks(processes, body); }).what();
}

TEST(RanksThatDisagree, in_what_they_call) {
  const std::string why = failure_of(3, [](Communicator &ranks) {
    if (ranks.rank() == 1)
      ranks.barrier();
    else
      ranks.sum(1);
  });
  EXPECT_TRUE(contains(why, "barrier"));
  EXPECT_TRUE(contains(why, "allreduce"));
}

TEST(RanksThatDisagree, in_sizes) {
  EXPECT_TRUE(contains(failure_of(2,
                                  [](Communicator &ranks) {
                                    char data[8] = {};
                                    ranks.bcast(data, static_cast<std::size_t>(4 + ranks.rank()), 0);
                                  }),
                       "bcast: rank"));
}

TEST(RanksThatDisagree, in_who_is_there) {
  EXPECT_EQ(failure_of(3,
                       [](Communicator &ranks) {
                         if (ranks.rank() != 1) ranks.barrier();
                       }),
            "communicator threads, barrier: nobody can go on: rank 0 waits in barrier, rank 1 is gone, rank 2 waits in "
            "barrier");
}

TEST(RanksThatDisagree, in_a_message) {
  const auto exchange = [](Communicator &ranks, int nsend, std::size_t bytes) {
    char buffer[16] = {};
    const int other = 1 - ranks.rank();
    const std::size_t offset[] = {0, bytes};
    op_comm_halo_params params{};
    params.size = sizeof params;
    params.space = OP_SPACE_HOST;
    params.nsend = ranks.rank() == 0 ? nsend : 0;
    params.nrecv = ranks.rank() == 1 ? 1 : 0;
    params.send_rank = params.recv_rank = &other;
    params.send_offset = params.recv_offset = offset;
    params.send_buffer = params.recv_buffer = buffer;
    const auto free = [&](op_comm_halo *halo) { ranks.halo_free(halo); };
    const std::unique_ptr<op_comm_halo, decltype(free)> halo(ranks.halo_create(params), free);
    ranks.halo_start(halo.get());
    ranks.halo_wait(halo.get());
  };
  EXPECT_TRUE(
      contains(failure_of(2, [&](Communicator &ranks) { exchange(ranks, 0, 8); }), "rank 1 waits in halo_wait"));
  EXPECT_TRUE(contains(failure_of(2, [&](Communicator &ranks) { exchange(ranks, 1, ranks.rank() == 0 ? 8 : 4); }),
                       "8 bytes, expected are 4"));
}

TEST(RanksThatDisagree, about_the_end) {
  EXPECT_TRUE(contains(failure_of(2,
                                  [](Communicator &ranks) {
                                    if (ranks.rank() == 0)
                                      ranks.abort(3);
                                    else
                                      ranks.barrier();
                                  }),
                       "rank 0 has ended the job with code 3"));
}

} // namespace

// SPDX-License-Identifier: MIT
