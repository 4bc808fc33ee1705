// The choice between streams and the host for an exchange: conditions, margin, hysteresis, and that all processes
// choose the same in the same run.
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <set>
#include <vector>

#include "distributed/halo/exchange_choice.hpp"
#include "ranks.hpp"

namespace {

using namespace op2::core;
using unit::run_ranks;
using Runs = std::vector<std::int64_t>;

constexpr double us = 1e-6;

// Conditions that hold, and conditions of which one does not.
constexpr ExchangeFigures good{10 * us, 30 * us, 5 * us, 15 * us, 100 * us, 30 * us};
constexpr ExchangeFigures slow_host{60 * us, 30 * us, 5 * us, 15 * us, 100 * us, 60 * us};
constexpr ExchangeFigures long_waits{10 * us, 30 * us, 25 * us, 15 * us, 100 * us, 30 * us};

ExchangeFigures of_seconds(const ExchangeFigures &figures, double seconds) {
  ExchangeFigures out = figures;
  out.seconds = seconds;
  return out;
}

// What happens in so many runs: where rounds end, and where the way changes.
struct Story {
  Runs rounds, changes;
  bool by_host = false;
};
Story story(std::int64_t runs, const std::function<ExchangeFigures(bool by_host, std::size_t round)> &measure) {
  ExchangeChoice choice;
  Story out;
  int measured = 0;
  for (std::int64_t run = 1; run <= runs; ++run) {
    if (choice.ends_round(run)) {
      EXPECT_EQ(ExchangeChoice::length, measured);
      const bool before = choice.by_host(), changes = choice.add(run, measure(before, out.rounds.size()));
      out.rounds.push_back(run);
      EXPECT_EQ(changes, before != choice.by_host());
      if (changes) out.changes.push_back(run);
    }
    measured = choice.begins_round(run) ? 1 : measured + 1;
  }
  out.by_host = choice.by_host();
  return out;
}

TEST(ExchangeChoice, StaysWhereTheConditionsHoldAndLooksRarely) {
  const Story all = story(10000, [](bool, std::size_t) { return good; });
  EXPECT_EQ((Runs{40, 80, 160, 320, 640, 1280, 2560, 5120}), all.rounds);
  EXPECT_EQ(Runs{}, all.changes);
}

TEST(ExchangeChoice, ChangesWhenThreeRoundsSayThatAConditionDoesNotHold) {
  for (const ExchangeFigures &bad : {slow_host, long_waits}) {
    const Story all = story(500, [&](bool by_host, std::size_t) { return by_host ? of_seconds(good, 20 * us) : bad; });
    EXPECT_EQ(Runs{80}, all.changes);
    EXPECT_EQ((Runs{40, 60, 80, 100, 200, 400}), all.rounds);
    EXPECT_TRUE(all.by_host);
  }
}

TEST(ExchangeChoice, NeedsAMargin) {
  for (const ExchangeFigures &close : {ExchangeFigures{32 * us, 30 * us, 0, 15 * us, 0, 32 * us},
                                       ExchangeFigures{10 * us, 30 * us, 16 * us, 15 * us, 0, 30 * us}}) {
    ASSERT_TRUE(!close.enqueues_in_time() || !close.waits_less());
    EXPECT_EQ(Runs{}, story(5000, [&](bool, std::size_t) { return close; }).changes);
  }
}

TEST(ExchangeChoice, RoundsThatContradictEachOtherChangeNothing) {
  for (const std::size_t period : {2u, 3u}) { // one of two, and two of three are against it
    const Story all = story(100000, [&](bool by_host, std::size_t round) {
      return by_host ? good : round % period == 0 ? good : slow_host;
    });
    EXPECT_EQ(Runs{}, all.changes) << period;
  }
  // Nor do they where both ways have been measured: first three rounds against streams, then good and bad times.
  const Story all = story(100000, [&](bool, std::size_t round) {
    return round < 3 ? slow_host : of_seconds(good, round % 2 == 0 ? 20 * us : 200 * us);
  });
  EXPECT_EQ(Runs{80}, all.changes);
}

// A way that is slower than the other one was is left, for good: the conditions do not count any more.
TEST(ExchangeChoice, MeasuredTimesEndTheMatter) {
  for (const double host : {10 * us, 50 * us, 65 * us, 67 * us, 500 * us}) {
    const Story all =
        story(100000, [&](bool by_host, std::size_t) { return of_seconds(slow_host, by_host ? host : 60 * us); });
    const bool slower = host > 66 * us;
    EXPECT_EQ(slower ? (Runs{80, 140}) : Runs{80}, all.changes) << host;
    EXPECT_EQ(!slower, all.by_host) << host;
  }
}

TEST(ExchangeChoice, TheSecondExchangeMustBeGained) { // C3
  ExchangeFigures dear = slow_host;
  dear.set_up = 300 * (dear.enqueue - dear.device); // as many exchanges must have been
  EXPECT_EQ(Runs{360}, story(500, [&](bool, std::size_t) { return dear; }).changes);
}

TEST(ExchangeChoice, NothingMeasuredIsNoReason) {
  ExchangeFigures none = slow_host;
  none.seconds = 0;
  EXPECT_EQ(Runs{}, story(5000, [&](bool, std::size_t) { return none; }).changes);
}

TEST(ExchangeChoice, TheMeanIsOfThoseThatHaveMeasured) {
  for (const int processes : {2, 3, 4})
    run_ranks(processes, [&](Communicator &ranks) {
      const double n = ranks.rank();
      const ExchangeFigures mine{n * us, 2 * us, 3 * us, 4 * us, 5 * us, 6 * n * us};
      const ExchangeFigures mean = mean_of_processes(ranks, n > 0 ? &mine : nullptr);
      EXPECT_DOUBLE_EQ(processes / 2. * us, mean.enqueue);
      EXPECT_DOUBLE_EQ(2 * us, mean.device);
      EXPECT_DOUBLE_EQ(3 * us, mean.waits);
      EXPECT_DOUBLE_EQ(4 * us, mean.idle);
      EXPECT_DOUBLE_EQ(5 * us, mean.set_up);
      EXPECT_DOUBLE_EQ(6 * processes / 2. * us, mean.seconds);
      EXPECT_EQ(0, mean_of_processes(ranks, nullptr).seconds);
    });
}

// One process finds that the host is slow, others do not, and one cannot measure: all change in the same runs.
TEST(ExchangeChoice, ProcessesThatMeasureDifferentlyChooseTheSame) {
  for (const int processes : {2, 3, 4}) {
    std::mutex lock;
    std::set<Runs> all;
    run_ranks(processes, [&](Communicator &ranks) {
      const int me = ranks.rank();
      const Story mine = story(400, [&](bool by_host, std::size_t) {
        ExchangeFigures own = me == 0 ? slow_host : good;
        if (me == 0) own.enqueue *= processes; // enough for the mean
        own.seconds = by_host ? 100 * us : 30 * us * (1 + me);
        return mean_of_processes(ranks, me == 3 ? nullptr : &own);
      });
      const std::lock_guard<std::mutex> hold(lock);
      all.insert(mine.changes);
    });
    ASSERT_EQ(1u, all.size()) << processes;
    EXPECT_EQ((Runs{80, 140}), *all.begin());
  }
}

} // namespace

// SPDX-License-Identifier: MIT
