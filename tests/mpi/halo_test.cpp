// halo_test.cpp: messages between neighbours, again and again, several exchanges alive at the same time.
#include <algorithm>
#include <chrono>
#include <thread>

#include "support.hpp"

namespace mpi {
namespace {

// An exchange of random messages between random processes, known to everyone by its number.
class Exchange {
 public:
  Exchange(Job &job, int number) : job_(job), number_(number) {
    for (int p = 0; p < job.size(); ++p) {
      add(p, length(job.rank(), p), send_rank_, send_offset_);
      add(p, length(p, job.rank()), recv_rank_, recv_offset_);
    }
    send_.resize(send_offset_.back());
    recv_.resize(recv_offset_.back());
    op_comm_halo_params params{};
    params.size = sizeof params;
    params.space = OP_SPACE_HOST;
    params.nsend = static_cast<std::int32_t>(send_rank_.size());
    params.nrecv = static_cast<std::int32_t>(recv_rank_.size());
    params.send_rank = send_rank_.data();
    params.recv_rank = recv_rank_.data();
    params.send_offset = send_offset_.data();
    params.recv_offset = recv_offset_.data();
    params.send_buffer = send_.data();
    params.recv_buffer = recv_.data();
    halo_ = job->halo_create(params);
  }
  ~Exchange() { job_->halo_free(halo_); }
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  void start(int round) {
    for (std::size_t i = 0; i < send_rank_.size(); ++i) {
      const std::string message = text(job_.rank(), send_rank_[i], round);
      std::copy(message.begin(), message.end(), send_.begin() + static_cast<std::ptrdiff_t>(send_offset_[i]));
    }
    std::fill(recv_.begin(), recv_.end(), 'x');
    job_->halo_start(halo_);
  }
  void wait() { job_->halo_wait(halo_); }
  // The same without the buffers, in the places that the communicator offers.
  void start_in_place(int round) {
    std::vector<void *> to(send_rank_.size());
    from_.assign(recv_rank_.size(), nullptr);
    ASSERT_TRUE(job_->halo_buffers(halo_, to.data(), from_.data()));
    for (std::size_t i = 0; i < send_rank_.size(); ++i) {
      const std::string message = text(job_.rank(), send_rank_[i], round);
      std::copy(message.begin(), message.end(), static_cast<char *>(to[i]));
    }
    job_->halo_start(halo_);
  }
  void expect_arrived_in_place(int round) {
    for (std::size_t i = 0; i < recv_rank_.size(); ++i) {
      const std::string expected = text(recv_rank_[i], job_.rank(), round);
      EXPECT_EQ(0, std::memcmp(expected.data(), from_[i], expected.size())) << "exchange " << number_;
    }
  }
  bool test() { return job_->halo_test(halo_); }
  void expect_arrived(int round) {
    std::string expected;
    for (const int from : recv_rank_) expected += text(from, job_.rank(), round);
    EXPECT_TRUE(expected == recv_) << "exchange " << number_ << ", round " << round;
  }

 private:
  std::size_t length(int from, int to) const { // -1: not neighbours
    std::mt19937 generator = random(from, to, number_);
    return below(generator, 3) == 0 ? std::size_t(-1) : random_length(generator);
  }
  static void add(int p, std::size_t length, std::vector<std::int32_t> &ranks, std::vector<std::size_t> &offset) {
    if (length == std::size_t(-1)) return;
    ranks.push_back(p);
    offset.push_back(offset.back() + length);
  }
  std::string text(int from, int to, int round) const { return content(length(from, to), from, to, round + number_); }

  Job &job_;
  int number_;
  std::vector<std::int32_t> send_rank_, recv_rank_;
  std::vector<std::size_t> send_offset_{0}, recv_offset_{0};
  std::string send_, recv_;
  std::vector<const void *> from_;
  op_comm_halo *halo_ = nullptr;
};

TEST(Halo, TheSameMessagesAgainAndAgain) {
  Job job;
  Exchange exchange(job, 1);
  for (int round = 0; round < 50; ++round) {
    exchange.start(round);
    exchange.wait();
    exchange.expect_arrived(round);
  }
}

// Processes begin their exchanges in different orders.
TEST(Halo, SeveralAreUnderWayAtTheSameTime) {
  Job job;
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (int number = 0; number < 12; ++number) exchanges.push_back(std::make_unique<Exchange>(job, number));
  for (int round = 0; round < 20; ++round) {
    std::mt19937 generator = random(job.rank(), round);
    std::shuffle(exchanges.begin(), exchanges.end(), generator);
    for (const auto &exchange : exchanges) exchange->start(round);
    std::shuffle(exchanges.begin(), exchanges.end(), generator);
    for (const auto &exchange : exchanges) {
      exchange->wait();
      exchange->expect_arrived(round);
    }
  }
}

TEST(Halo, TestMakesProgressAndRemembers) {
  Job job;
  Exchange exchange(job, 4);
  for (int round = 0; round < 20; ++round) {
    EXPECT_TRUE(exchange.test()); // nothing is under way
    exchange.start(round);
    while (!exchange.test()) std::this_thread::yield();
    exchange.expect_arrived(round);
    EXPECT_TRUE(exchange.test());
    if (round % 2) exchange.wait(); // not needed, but usual
  }
}

// Some rounds in the buffers, some in place, some processes late.
TEST(Halo, MessagesMayBeWrittenInPlace) {
  Job job;
  Exchange exchange(job, 7);
  for (int round = 0; round < 60; ++round) {
    std::mt19937 generator = random(job.rank(), round);
    if (below(generator, 8) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (round % 3 == 2) {
      exchange.start(round);
      exchange.wait();
      exchange.expect_arrived(round);
    } else {
      exchange.start_in_place(round);
      if (round % 2)
        exchange.wait();
      else
        while (!exchange.test()) std::this_thread::yield();
      exchange.expect_arrived_in_place(round);
    }
  }
}

// What arrived stays until the next exchange begins, however far ahead the others are.
TEST(Halo, ArrivalsStay) {
  Job job;
  Exchange exchange(job, 8), next(job, 9);
  for (int round = 0; round < 20; ++round) {
    exchange.start_in_place(round);
    exchange.wait();
    next.start(round);
    next.wait();
    exchange.expect_arrived_in_place(round);
  }
}

// Nothing comes back to the sender, so only the communicator can hold it.
TEST(Halo, ASenderThatIsAheadDoesNotOverwrite) {
  Job job;
  if (job.size() == 1) GTEST_SKIP() << "needs messages";
  const bool sends = job.rank() == 0, receives = job.rank() == 1;
  const std::int32_t to = 1, from = 0;
  const std::size_t offset[2] = {0, 64};
  char out[64], in[64];
  op_comm_halo_params params{sizeof params, OP_SPACE_HOST, sends, receives, &to, &from, offset, offset, out, in};
  op_comm_halo *halo = job->halo_create(params);
  for (int round = 0; round < 40; ++round) {
    void *place = nullptr;
    const void *arrived = nullptr;
    job->halo_buffers(halo, &place, &arrived);
    if (sends) std::memset(place, round, sizeof out);
    job->halo_start(halo);
    job->halo_wait(halo);
    if (!receives) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(round, *static_cast<const char *>(arrived));
  }
  job->halo_free(halo);
}

TEST(Halo, LongMessagesThroughMpiWantTests) {
  Job job;
  if (job.size() == 1) GTEST_SKIP() << "needs messages";
  const bool shared = job.settings.get("OP2_SHARED_MEMORY") != "off";
  const std::int32_t to = (job.rank() + 1) % job.size(), from = (job.rank() + job.size() - 1) % job.size();
  for (const std::size_t length : {std::size_t(8), std::size_t(100'000)}) {
    std::vector<char> out(length, 'o'), in(length);
    const std::size_t offset[2] = {0, length};
    op_comm_halo_params params{sizeof params, OP_SPACE_HOST, 1, 1, &to, &from, offset, offset, out.data(), in.data()};
    op_comm_halo *halo = job->halo_create(params);
    EXPECT_EQ(!shared && length > 8, job->halo_wants_tests(halo)) << "all of this test's processes are on one node";
    job->halo_start(halo);
    job->halo_wait(halo);
    EXPECT_EQ(out, in);
    job->halo_free(halo);
  }
}

TEST(Halo, CollectivesMayComeBetween) {
  Job job;
  Exchange exchange(job, 5);
  for (int round = 0; round < 20; ++round) {
    exchange.start(round);
    EXPECT_EQ(job.size(), job->sum(1));
    const std::vector<int> to{(job.rank() + 1) % job.size()};
    const std::vector<std::size_t> offset{0, 1};
    EXPECT_EQ('m', job->sparse_exchange(to, offset, "m").all<char>()[0]);
    exchange.wait();
    exchange.expect_arrived(round);
  }
}

TEST(Halo, ComeAndGo) {
  Job job;
  for (int number = 0; number < 200; ++number) {
    Exchange exchange(job, number);
    if (number % 3 == 0) continue;
    exchange.start(number);
    exchange.wait();
    exchange.expect_arrived(number);
  }
}

TEST(Halo, NobodyHasNeighbours) {
  Job job;
  const std::size_t none = 0;
  op_comm_halo_params params{};
  params.size = sizeof params;
  params.space = OP_SPACE_HOST;
  params.send_offset = params.recv_offset = &none;
  op_comm_halo *halo = job->halo_create(params);
  job->halo_start(halo);
  EXPECT_TRUE(job->halo_test(halo));
  job->halo_wait(halo);
  job->halo_free(halo);
}

op_status refusal(Job &job, op_space space, std::int32_t rank) {
  const std::size_t offset[2] = {0, 0};
  op_comm_halo_params params{};
  params.size = sizeof params;
  params.space = space;
  params.nsend = 1;
  params.send_rank = &rank;
  params.send_offset = params.recv_offset = offset;
  try {
    job->halo_free(job->halo_create(params));
    return OP_OK;
  } catch (const Error &error) {
    return error.code;
  }
}

TEST(Halo, OtherMemoryAndUnknownProcessesAreRefused) {
  Job job;
  EXPECT_EQ(OP_OK, refusal(job, OP_SPACE_HOST, 0));
  EXPECT_EQ(OP_ERR_UNSUPPORTED, refusal(job, OP_SPACE_CUDA, 0));
  EXPECT_EQ(OP_ERR_ARGUMENT, refusal(job, OP_SPACE_HOST, job.size()));
  EXPECT_EQ(OP_ERR_ARGUMENT, refusal(job, OP_SPACE_HOST, -1));
  Exchange exchange(job, 6); // tags still agree
  exchange.start(0);
  exchange.wait();
  exchange.expect_arrived(0);
}

TEST(Halo, CannotStartTwice) {
  Job job;
  if (job.size() == 1) GTEST_SKIP() << "needs messages";
  char in = 0;
  const char out = 'o';
  const std::int32_t to = (job.rank() + 1) % job.size(), from = (job.rank() + job.size() - 1) % job.size();
  const std::size_t offset[2] = {0, 1};
  op_comm_halo_params params{sizeof params, OP_SPACE_HOST, 1, 1, &to, &from, offset, offset, &out, &in};
  op_comm_halo *halo = job->halo_create(params);
  job->halo_start(halo);
  EXPECT_THROW(job->halo_start(halo), Error);
  job->halo_wait(halo);
  EXPECT_EQ('o', in);
  job->halo_free(halo);
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
