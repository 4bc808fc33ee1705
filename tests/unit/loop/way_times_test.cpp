// The choice among several ways by the times of their runs: forms of a loop, and ways of a chain.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "loop/choice/way_times.hpp"

namespace {

using op2::core::WayTimes;
constexpr WayTimes::Rule forms;

struct Outcome {
  std::size_t fastest;
  std::vector<int> calls; // by form
  double extra;           // time of all calls beyond that of as many calls of the fastest form
};

// Calls whose times are those of the forms, each call `disturbed` times as long where calls % 7 == 3.
Outcome choose(const std::vector<double> &seconds, double disturbed = 1) {
  WayTimes times(seconds.size(), forms);
  Outcome out{0, std::vector<int>(seconds.size()), 0};
  double spent = 0;
  int calls = 0;
  for (; times.compares() && calls < 1000; ++calls) {
    const std::size_t form = times.next();
    ++out.calls[form];
    const double time = seconds[form] * (calls % 7 == 3 ? disturbed : 1);
    spent += time;
    times.note(time);
  }
  EXPECT_FALSE(times.compares()) << "never ends";
  out.fastest = times.fastest();
  out.extra = spent / seconds[out.fastest] - calls;
  return out;
}

TEST(WayTimes, TakesTheFastestForm) {
  EXPECT_EQ(0u, choose({1, 2, 3}).fastest);
  EXPECT_EQ(1u, choose({2, 1, 3}).fastest);
  EXPECT_EQ(2u, choose({3, 2, 1}).fastest);
}

TEST(WayTimes, KeepsTheFirstFormWhereOthersAreHardlyFaster) {
  EXPECT_EQ(0u, choose({1, 0.99}).fastest);
  EXPECT_EQ(1u, choose({1, 0.97}).fastest);
  EXPECT_EQ(2u, choose({1, 0.97, 0.96}).fastest);
}

TEST(WayTimes, SlowFormsCostLittle) {
  for (const double slow : {1.1, 1.24, 1.3, 1.6, 1.9}) {
    EXPECT_LE(choose({1, slow, slow, slow}).extra, 5.5) << slow; // two calls of each
    EXPECT_LE(choose({slow, 1, slow, slow}).extra, 5.5) << slow;
  }
  EXPECT_LE(choose({1, 3, 3, 3, 3}).extra, 16.1);
  EXPECT_LE(choose({1, 5, 5, 5, 5}).extra, 16.1); // one call of each is enough
  EXPECT_EQ(1u, choose({1.9, 1, 1.9, 1.9, 1.9}).fastest);
  EXPECT_EQ(1, choose({1, 5, 1.1}).calls[1]);
}

TEST(WayTimes, AShortCallOfAFormThatIsNewIsNotBelieved) {
  const double short_call = 1e-5;
  WayTimes times(2, forms);
  times.note(short_call);
  times.note(5 * short_call); // its code came from memory
  while (times.compares()) times.note(times.next() == 1 ? 0.5 * short_call : short_call);
  EXPECT_EQ(1u, times.fastest());
}

TEST(WayTimes, ShortCallsAreRepeatedMoreOften) {
  EXPECT_EQ(3, choose({1, 1}).calls[0]);
  EXPECT_EQ(16, choose({1e-6, 1e-6}).calls[0]);
}

TEST(WayTimes, OneDisturbedCallDoesNotDecide) { EXPECT_EQ(1u, choose({1.0, 0.9, 1.0}, 1.2).fastest); }

// What is chosen is kept for later runs. Each call in five is disturbed, on a machine that others use, too.
TEST(WayTimes, DisturbedCallsDoNotDecide) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0, 1);
  const std::vector<double> seconds = {4e-3, 2e-3, 3e-3, 2.6e-3, 5e-3};
  constexpr int programs = 4000;
  int wrong = 0;
  for (int p = 0; p < programs; ++p) {
    WayTimes times(seconds.size(), forms);
    while (times.compares()) times.note(seconds[times.next()] * (part(random) < 0.2 ? 1.2 + 4 * part(random) : 1));
    wrong += times.fastest() != 1;
  }
  EXPECT_LE(wrong, programs * 0.06);
}

TEST(WayTimes, SaysWhatItMeasured) {
  WayTimes times(2, forms);
  times.note(0.002);
  times.note(0.004);
  EXPECT_EQ("vector x8 2.000 ms, scalar 4.000 ms", times.text({"vector x8", "scalar"}));
}

// Runs of a chain whose ways take these seconds, in which something happens.
struct Program {
  std::vector<double> seconds;
  using Time = std::function<double(std::size_t way, int run, double seconds)>;
  Time happens = [](std::size_t, int, double time) { return time; };
  WayTimes times{seconds.size(), WayTimes::of_chains()};
  int run = 0;
  double spent = 0;
  std::vector<int> runs = std::vector<int>(seconds.size());

  void one() {
    const std::size_t way = times.next();
    ++runs[way];
    const double time = happens(way, run++, seconds[way]);
    spent += time;
    times.note(time);
  }
  std::size_t choose() {
    while (!times.decided() && run < 1000) one();
    return times.fastest();
  }
  std::size_t after(int count) {
    while (count-- > 0) one();
    return times.fastest();
  }
};

TEST(WayTimes, ColdRunsDoNotCount) {
  Program program{{1.0, 0.8, 0.9}};
  program.happens = [&](std::size_t way, int, double time) { return program.runs[way] == 1 ? 0.1 * time : time; };
  EXPECT_EQ(1u, program.choose());
  EXPECT_EQ(0.8, program.times.least(1));
}

TEST(WayTimes, OneDisturbedRunOfTheBestWayDoesNotDecide) {
  for (int disturbed = 1; disturbed <= 4; ++disturbed) {
    Program program{{1.0, 0.8, 0.9}};
    program.happens = [&](std::size_t way, int, double time) {
      return way == 1 && program.runs[way] == disturbed ? 2 * time : time;
    };
    EXPECT_EQ(1u, program.choose()) << disturbed;
  }
}

// All ways become slower, or faster, whenever it is.
TEST(WayTimes, ADriftOfTheWholeMachineMeetsAllWays) {
  for (const double factor : {1.7, 0.6})
    for (int from = 0; from < 30; ++from) {
      Program program{{1.0, 0.8, 0.9, 1.1}};
      program.happens = [&](std::size_t, int run, double time) { return run >= from ? factor * time : time; };
      EXPECT_EQ(1u, program.choose()) << factor << " from run " << from;
      EXPECT_EQ(1u, program.after(3000));
    }
}

TEST(WayTimes, WhatIsHardlyFasterIsNotTaken) {
  Program ties{{1.0, 0.985, 0.99}};
  EXPECT_EQ(0u, ties.choose());
  EXPECT_EQ(0u, ties.after(10000));
  Program faster{{1.0, 0.975}};
  EXPECT_EQ(1u, faster.choose());
}

TEST(WayTimes, ClearlySlowerWaysLeaveAfterTwoRunsThatCount) {
  Program program{{1.0, 0.80, 1.3, 0.82, 0.90}};
  program.choose();
  EXPECT_EQ((std::vector<int>{3, 7, 3, 7, 4}), program.runs); // those that are close run twice as often
  Program scattered{{2.0, 1.0, 1.01}};
  scattered.happens = [](std::size_t way, int run, double time) { return way == 0 ? time + 0.1 * run : time; };
  scattered.choose();
  EXPECT_EQ(3, scattered.runs[0]); // whatever exactly it takes
}

// Something else takes its share for some runs, then is away for some.
TEST(WayTimes, BurstsOfDisturbancesDoNotDecide) {
  constexpr int programs = 10000;
  std::mt19937 random(7);
  const auto chance = [&] { return static_cast<double>(random()) / 4294967296.0; };
  int wrong = 0, wrong_later = 0;
  for (int k = 0; k < programs; ++k) {
    Program program{{1.0, 1.05, 0.66, 0.65, 0.67}};
    bool disturbed = false;
    program.happens = [&](std::size_t, int, double time) {
      disturbed = disturbed ? chance() >= 0.03 : chance() < 0.05;
      return time * (disturbed ? 1 + 3 * chance() : 1 + 0.01 * chance());
    };
    wrong += program.choose() < 2;
    EXPECT_LE(program.run, 36);
    wrong_later += program.after(300) < 2;
  }
  EXPECT_LE(wrong, programs * 0.004); // the shortest of three runs: 0.018
  EXPECT_LE(wrong_later, programs * 0.0015);
}

// Long enough to spoil all runs of the comparison.
TEST(WayTimes, WhatWasDisturbedAllTheTimeIsFoundLater) {
  Program program{{1.0, 0.7, 0.9}};
  program.happens = [&](std::size_t way, int run, double time) { return run < 40 && way > 0 ? time / 0.7 : time; };
  EXPECT_EQ(0u, program.choose());
  EXPECT_EQ(1u, program.after(60)); // it was believed to be as fast, so that it costs little to see
  Program worse{{1.0, 0.7, 0.9}};
  worse.happens = [&](std::size_t way, int run, double time) { return run < 40 && way > 0 ? 2 * time : time; };
  EXPECT_EQ(0u, worse.choose());
  EXPECT_EQ(1u, worse.after(300));
}

// What was best is not for ever.
TEST(WayTimes, LoopAfterLoopMayBeBestLater) {
  Program program{{1.0, 0.7, 0.9}};
  EXPECT_EQ(1u, program.choose());
  program.happens = [&](std::size_t way, int, double time) { return way > 0 ? 2 * time : time; };
  EXPECT_EQ(0u, program.after(300));
}

TEST(WayTimes, LookingAgainTakesOnePercent) {
  for (const double slow : {1.01, 1.1, 1.2, 1.3, 1.5, 2.0, 4.0}) {
    Program program{{slow, 0.95 * slow, 1.0}};
    ASSERT_EQ(slow < 1.04 ? 1u : 2u, program.choose());
    const double least = program.times.least(program.times.next());
    program.spent = 0;
    for (int run = 1; run < 5000; ++run) {
      program.one();
      if (program.times.compares()) continue;
      ASSERT_LE(program.spent, 1.01 * least * run + 1e-9) << slow << " after " << run;
    }
    EXPECT_GT(program.spent, 1.0001 * least * 5000) << "no looks";
  }
}

TEST(WayTimes, OnlyTheFirstWayAndTheSecondBestAreKept) {
  Program program{{1.0, 0.8, 0.7, 0.9}};
  EXPECT_EQ(2u, program.choose());
  EXPECT_TRUE(program.times.kept(0));
  EXPECT_TRUE(program.times.kept(1));
  EXPECT_TRUE(program.times.kept(2));
  EXPECT_FALSE(program.times.kept(3));
  const int once = program.runs[3];
  program.after(10000);
  EXPECT_EQ(once, program.runs[3]);
  EXPECT_LT(program.runs[1] + program.runs[0], 150); // looks become rare
  program.times.forget(1);
  const std::vector<int> until_now = program.runs;
  program.after(100000);
  EXPECT_EQ(until_now[1], program.runs[1]);
  EXPECT_GT(program.runs[0], until_now[0]);
}

TEST(WayTimes, WaysThatAreNotPossibleAreLeftOut) {
  WayTimes times(3, WayTimes::of_chains());
  for (const double seconds : {1.0, 0.5}) times.note(seconds);
  ASSERT_EQ(2u, times.next());
  times.leave_out(2);
  ASSERT_EQ(0u, times.next());
  while (times.compares()) times.note(times.next() == 0 ? 1.0 : 0.5);
  EXPECT_EQ(1u, times.fastest());
  WayTimes none(2, WayTimes::of_chains());
  none.note(1);
  none.leave_out(1);
  EXPECT_TRUE(none.decided());
  EXPECT_EQ(0u, none.next());
}

} // namespace

// SPDX-License-Identifier: MIT
