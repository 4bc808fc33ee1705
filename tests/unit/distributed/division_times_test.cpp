// division_times_test.cpp: which step of a division the times of a mesh are of.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "rank_mesh.hpp"

namespace op2::core {
namespace {

using unit::Host;
using unit::RankMesh;
using unit::run_ranks;

// Rank 1 thinks it over when rank 0 has its answer already: for the one this is finding owners, the other one waits for
// its rows.
TEST(DivisionTimes, are_of_each_step) {
  std::atomic<bool> answered = false;
  run_ranks(2, [&](Communicator &ranks, Host &host) {
    const bool first = ranks.rank() == 0;
    RankMesh rank(ranks, host, Declare::local);
    rank.mesh.declare().set(4, "nodes");
    DivisionTimes times;
    const double start = now();
    distribute(rank.mesh,
               [&](Mesh &) -> std::vector<std::vector<int>> {
                 if (first) answered = true;
                 while (!answered) std::this_thread::yield();
                 if (!first) std::this_thread::sleep_for(std::chrono::milliseconds(300));
                 return {{1, 0, 1, 0}};
               },
               {.times = &times});
    EXPECT_LE(times.partition + times.move + times.halo, now() - start);
    if (first) {
      EXPECT_GE(times.move, 0.04); // a busy machine may begin it late
    } else {
      EXPECT_GE(times.partition, 0.25);
    }
    // Where nobody is asked, nothing moves.
    const DivisionTimes before = times;
    EXPECT_GT(before.halo, 0);
    distribute(rank.mesh, {}, {.times = &times});
    EXPECT_EQ(times.partition, before.partition);
    EXPECT_EQ(times.move, before.move);
    EXPECT_GT(times.halo, before.halo);
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
