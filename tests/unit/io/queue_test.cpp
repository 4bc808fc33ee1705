// queue_test.cpp: work for a thread of its own: its order, its memory and what fails in it.
#include "io/queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <set>

#include "base/error.hpp"

namespace op2::core {
namespace {

constexpr std::size_t megabyte = 1 << 20;

// Work that goes on until it is let go.
class Gate {
 public:
  WorkQueue::Work work() {
    return [this](const WorkQueue::Buffer &) { open_.get_future().wait(); };
  }
  void open() { open_.set_value(); }

 private:
  std::promise<void> open_;
};

TEST(WorkQueue, KeepsTheOrder) {
  WorkQueue queue(megabyte);
  std::vector<int> seen;
  for (int i = 1; i <= 100; ++i) queue.add(i, "work", {}, [&seen, i](const WorkQueue::Buffer &) { seen.push_back(i); });
  queue.wait_for(100);
  ASSERT_EQ(100u, seen.size());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(i + 1, seen[static_cast<std::size_t>(i)]);
}

TEST(WorkQueue, WaitsNoLongerThanItMust) {
  WorkQueue queue(megabyte);
  Gate gate;
  std::atomic<bool> first = false;
  queue.add(1, "work", {}, [&](const WorkQueue::Buffer &) { first = true; });
  queue.add(2, "gate", {}, gate.work());
  queue.wait_for(1);
  EXPECT_TRUE(first);
  gate.open();
  queue.wait_for(2);
}

TEST(WorkQueue, TheEndComesAfterAllWork) {
  std::atomic<int> done = 0;
  {
    WorkQueue queue(megabyte);
    for (int i = 1; i <= 10; ++i) queue.add(i, "work", {}, [&](const WorkQueue::Buffer &) { ++done; });
  }
  EXPECT_EQ(10, done);
}

TEST(WorkQueue, BuffersAreUsedAgain) {
  WorkQueue queue(10 * megabyte);
  std::set<const char *> places;
  for (int i = 1; i <= 8; ++i) {
    WorkQueue::Buffer buffer = queue.borrow(megabyte);
    places.insert(buffer.data.get());
    queue.add(i, "work", std::move(buffer), [](const WorkQueue::Buffer &) {});
    queue.wait_for(i);
  }
  EXPECT_EQ(1u, places.size());
}

TEST(WorkQueue, WaitsForRoom) {
  WorkQueue queue(3 * megabyte);
  Gate gate;
  queue.add(1, "gate", queue.borrow(megabyte), gate.work());
  std::atomic<bool> done = false;
  queue.add(2, "work", queue.borrow(2 * megabyte), [&](const WorkQueue::Buffer &) { done = true; });
  std::future<WorkQueue::Buffer> third = std::async(std::launch::async, [&] { return queue.borrow(2 * megabyte); });
  EXPECT_EQ(std::future_status::timeout, third.wait_for(std::chrono::milliseconds(50)));
  gate.open();
  WorkQueue::Buffer buffer = third.get();
  EXPECT_TRUE(done) << "there was room for one of the two only";
  EXPECT_EQ(2 * megabyte, buffer.bytes);
  queue.give_back(std::move(buffer));
}

TEST(WorkQueue, WhatIsTooLargeWaitsUntilItIsAlone) {
  WorkQueue queue(megabyte);
  Gate gate;
  queue.add(1, "gate", queue.borrow(1), gate.work());
  std::future<WorkQueue::Buffer> large = std::async(std::launch::async, [&] { return queue.borrow(5 * megabyte); });
  EXPECT_EQ(std::future_status::timeout, large.wait_for(std::chrono::milliseconds(50)));
  gate.open();
  WorkQueue::Buffer buffer = large.get();
  EXPECT_EQ(5 * megabyte, buffer.bytes);
  queue.give_back(std::move(buffer));
  buffer = queue.borrow(megabyte); // what nobody needs any more is not in the way
  queue.give_back(std::move(buffer));
}

TEST(WorkQueue, FailuresWaitUntilTheyAreAskedFor) {
  WorkQueue queue(megabyte);
  queue.add(1, "good", {}, [](const WorkQueue::Buffer &) {});
  queue.add(2, "bad", {}, [](const WorkQueue::Buffer &) { fail(OP_ERR_FILE, "no room"); });
  queue.add(3, "worse", {}, [](const WorkQueue::Buffer &) { throw std::bad_alloc(); });
  queue.add(5, "odd", {}, [](const WorkQueue::Buffer &) { throw std::runtime_error("odd"); });
  queue.wait_for(5);
  EXPECT_EQ(5, queue.last_failure());
  const std::vector<WorkQueue::Failure> early = queue.take_failures(3);
  ASSERT_EQ(2u, early.size());
  EXPECT_EQ(2, early[0].number);
  EXPECT_EQ(OP_ERR_FILE, early[0].code);
  EXPECT_EQ("bad: no room", early[0].message);
  EXPECT_EQ(OP_ERR_MEMORY, early[1].code);
  ASSERT_EQ(1u, queue.take_failures(5).size());
  EXPECT_EQ(0, queue.last_failure());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
