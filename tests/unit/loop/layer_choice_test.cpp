// layer_choice_test.cpp: in which way a chain of several processes runs, from given times of all processes.
#include "loop/layers/layer_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace op2::core {
namespace {

// Processes that have the largest value of all when all have come.
class Job {
 public:
  explicit Job(std::size_t processes) : all_(processes), barrier_(static_cast<std::ptrdiff_t>(processes)) {}

  // Run number `round` of the way on the process.
  using Times = std::function<LayerChoice::Run(std::size_t process, std::size_t way, int round)>;
  void run(const std::vector<LayerWay> &others, bool measured, const Times &times, int rounds = 60) {
    std::vector<std::thread> threads;
    choices_.resize(all_.size());
    for (std::size_t p = 0; p < all_.size(); ++p)
      threads.emplace_back([&, p] {
        LayerChoice &choice = choices_[p];
        std::vector<int> runs(others.size() + 1);
        for (int r = 0; r < rounds; ++r) {
          if (r == 1) choice.add_candidates(others, measured);
          const std::size_t way = choice.now();
          choice.record(times(p, way, runs[way]++), [&](std::span<double> values) { largest(p, values); });
          if (p == 0 && choice.decided() && decided_at_ == 0) decided_at_ = r;
        }
      });
    for (std::thread &thread : threads) thread.join();
    for (const LayerChoice &choice : choices_) {
      EXPECT_TRUE(choice.decided());
      EXPECT_EQ(choices_.front().now(), choice.now());
      EXPECT_EQ(choices_.front().why(), choice.why());
      EXPECT_EQ(choices_.front().figures(), choice.figures());
    }
  }
  const LayerChoice &choice() const { return choices_.front(); }
  int decided_at() const { return decided_at_; } // by the number of the run

 private:
  void largest(std::size_t p, std::span<double> values) {
    all_[p].assign(values.begin(), values.end());
    barrier_.arrive_and_wait();
    for (const std::vector<double> &each : all_)
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], each.at(i));
    barrier_.arrive_and_wait();
  }

  std::vector<LayerChoice> choices_;
  std::vector<std::vector<double>> all_;
  std::barrier<> barrier_;
  int decided_at_ = 0;
};

const std::vector<LayerWay> layers = {{8, 0, 1}, {2, 0, 3}};

LayerChoice::Run waiting(double seconds) { return {seconds, 0.1 * seconds, 10, 40}; }

TEST(LayerChoice, TakesTheFastestWayOfTheSlowestProcess) {
  Job job(3);
  job.run(layers, true, [](std::size_t process, std::size_t way, int) {
    if (way == 0) return waiting(1.0);
    if (way == 1) return waiting(process == 1 ? 1.5 : 0.1);
    return waiting(0.9);
  });
  EXPECT_EQ(2u, job.choice().now());
  EXPECT_EQ(
      "; 1000.000 ms loop after loop with 10 exchanges, 1500.000 ms with 10 exchanges, 900.000 ms with 10 exchanges",
      job.choice().figures());
}

TEST(LayerChoice, TwoPercentAreWorthIt) {
  for (const double time : {0.97, 0.99}) {
    Job job(2);
    job.run(layers, true, [time](std::size_t, std::size_t way, int) { return waiting(way == 1 ? time : 1.0); });
    EXPECT_EQ(time < 0.98 ? 1u : 0u, job.choice().now()) << time;
  }
}

// The first run of a way prepares loops; of the others one may be disturbed.
TEST(LayerChoice, TheFirstRunOfAWayDoesNotCount) {
  Job job(2);
  job.run(layers, true, [](std::size_t, std::size_t way, int round) {
    if (way == 0) return waiting(1.0);
    if (way == 1) return waiting(round == 0 ? 0.01 : 1.2);
    return waiting(round == 0 || round == 2 ? 3.0 : 0.5);
  });
  EXPECT_EQ(2u, job.choice().now());
}

// By other programs on the machine of one process. All processes change to the better way at the same run.
TEST(LayerChoice, WhatWasDisturbedAllTheTimeIsFoundLater) {
  for (const int rounds : {60, 600}) {
    Job job(3);
    std::vector<int> runs(3);
    job.run(
        layers, true,
        [&](std::size_t process, std::size_t way, int) {
          const bool disturbed = runs[process]++ < 50 && process == 1 && way > 0;
          return waiting((way == 0 ? 1.0 : way == 1 ? 0.7 : 0.8) * (disturbed ? 2 : 1));
        },
        rounds);
    EXPECT_EQ(rounds < 100 ? 0u : 1u, job.choice().now());
  }
}

// Once for each round of runs of all ways, and once before them.
TEST(LayerChoice, ProcessesTalkRarely) {
  LayerChoice choice;
  int talks = 0, runs = 0;
  const auto alone = [&](std::span<double>) { ++talks; };
  choice.record(waiting(1.0), alone);
  choice.add_candidates(layers, true);
  for (; !choice.decided(); ++runs) choice.record(waiting(choice.now() == 0 ? 1.0 : 0.9), alone);
  EXPECT_LE(talks, runs / 2 + 1); // as long as two ways are left
  talks = 0;
  for (int k = 0; k < 1000; ++k) choice.record(waiting(choice.now() == 0 ? 1.0 : 0.9), alone);
  EXPECT_GT(talks, 0);
  EXPECT_LT(talks, 40);
}

TEST(LayerChoice, WithoutWaitingLayersAreNotTried) {
  Job job(2);
  job.run(layers, true, [](std::size_t process, std::size_t way, int) {
    EXPECT_EQ(0u, way);
    return LayerChoice::Run{1.0, process == 0 ? 0.5 : 0.02, 10, 40}; // whoever has most to do waits least
  });
  EXPECT_EQ("messages take 2.0 % of its time", job.choice().why());
  EXPECT_EQ(1, job.decided_at());
  EXPECT_EQ(40, job.choice().messages_apart());
}

// As with OP2_TIMING=off on one process: nobody knows what that one waits.
TEST(LayerChoice, ATrialDecidesIfSomeProcessDoesNotMeasure) {
  for (const std::size_t silent : {0u, 1u}) {
    Job job(2);
    job.run(layers, true, [silent](std::size_t process, std::size_t way, int) {
      return LayerChoice::Run{way == 1 ? 0.5 : 1.0, process == silent ? -1 : 0.001, 10, 40};
    });
    EXPECT_EQ(1u, job.choice().now());
  }
}

TEST(LayerChoice, GroupsThatExchangeAsOftenAreNotTried) {
  Job job(2);
  job.run(layers, true, [](std::size_t, std::size_t way, int) {
    EXPECT_NE(2u, way) << "three groups, three exchanges";
    return LayerChoice::Run{way == 1 ? 0.5 : 1.0, 0.5, 3, 12};
  });
  EXPECT_EQ(1u, job.choice().now());
  Job none(2);
  none.run(layers, true, [](std::size_t, std::size_t, int) { return LayerChoice::Run{1.0, 0.5, 1, 4}; });
  EXPECT_EQ("its loops exchange only 1 times", none.choice().why());
}

// An executor that gets the loops of a group at once saves launches.
TEST(LayerChoice, LoopsAtOnceAreTriedThoughTheySaveNoExchange) {
  std::vector<LayerWay> ways = layers;
  ways.push_back({1, 0, 20});
  ways.back().at_once = true;
  Job job(2);
  job.run(ways, true, [](std::size_t, std::size_t way, int) {
    EXPECT_NE(2u, way) << "three groups, three exchanges";
    return LayerChoice::Run{way == 3 ? 0.5 : 1.0, -1, way == 3 ? 20 : 3, 12};
  });
  EXPECT_EQ(3u, job.choice().now());
}

// Tiles save what memory takes.
TEST(LayerChoice, TilesAreTriedWhateverMessagesTake) {
  std::vector<LayerWay> ways = layers;
  ways.push_back({8, 4e6, 20});
  Job job(2);
  job.run(ways, true, [](std::size_t, std::size_t way, int) {
    EXPECT_TRUE(way == 0 || way == 3) << way;
    return LayerChoice::Run{way == 3 ? 0.7 : 1.0, 0.0, 10, 40};
  });
  EXPECT_EQ(3u, job.choice().now());
}

// Tiles of a size that is given, which is no part of the cache.
TEST(LayerChoice, TilesThatAreAskedForAreTriedWhateverMessagesTake) {
  Job job(2);
  job.run({{8, 0, 20, true}}, true, [](std::size_t, std::size_t way, int) {
    return LayerChoice::Run{way == 1 ? 0.7 : 1.0, 0.0, 10, 40};
  });
  EXPECT_EQ(1u, job.choice().now());
  EXPECT_EQ("; 1000.000 ms loop after loop with 10 exchanges, 700.000 ms with 10 exchanges in tiles of the given size",
            job.choice().figures());
}

TEST(LayerChoice, RunsCountOnceLoopsHaveTheirForms) {
  Job job(2);
  job.run(layers, true, [](std::size_t, std::size_t way, int round) {
    LayerChoice::Run out = waiting(way == 1 ? (round < 9 ? 9.0 : 0.5) : 1.0);
    out.settled = way != 1 || round >= 9;
    return out;
  });
  EXPECT_EQ(1u, job.choice().now());
}

TEST(LayerChoice, LayersThatAreAskedForComeWithoutAComparison) {
  Job one(2);
  one.run({{4, 0, 2}}, false, [](std::size_t, std::size_t way, int) { return waiting(way == 0 ? 0.1 : 1.0); });
  EXPECT_EQ(1u, one.choice().now());
  EXPECT_EQ(1, one.decided_at());
  Job tiles(2); // are compared with the same layers only
  tiles.run({{4, 0, 2}, {4, 0.125, 2}}, false, [](std::size_t, std::size_t way, int round) {
    EXPECT_TRUE(way > 0 || round == 0);
    return waiting(way == 0 ? 0.1 : way == 1 ? 1.0 : 0.9);
  });
  EXPECT_EQ(2u, tiles.choice().now());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
