// The equations of exchanges between devices against closed forms, and the conditions under which they pay.
#include <gtest/gtest.h>

#include <cmath>

#include "distributed/halo/exchange_model.hpp"

namespace {

using namespace op2::core;

// Powers of two, so that sums are exact and each term shows.
ExchangeRound one_of_each() { return {{{1, 2, 4, 8}}, {{16, 32, 64}}, {{128, 256, 512, 1024}}}; }

TEST(ExchangeModel, EachTermCountsOnceInARound) {
  const ExchangeRound round = one_of_each();
  EXPECT_EQ(3, round.fragments());
  EXPECT_EQ((1 + 2 + 8) + (16 + 32) + (128 + 256 + 512), synchronous_seconds(round, 1));
  EXPECT_EQ(4 + 64 + 1024, computing_seconds(round, 1));
  EXPECT_EQ((1 + 2) + (16 + 32) + (256 + 512), enqueue_seconds(round, 1));
  EXPECT_EQ((4 + 8) + 64 + (128 + 1024), device_seconds(round, 1));
  EXPECT_EQ(1228, stream_seconds(round, 1)); // the device takes longer than the host
}

TEST(ExchangeModel, RoundsAndEqualPartsAreFactors) {
  ExchangeRound round = one_of_each();
  const double sync = synchronous_seconds(round, 1), device = device_seconds(round, 1);
  EXPECT_EQ(7 * sync, synchronous_seconds(round, 7));
  EXPECT_EQ(7 * device, device_seconds(round, 7));
  for (int i = 0; i < 2; ++i) { // X = Y = Z = 3
    round.sends.push_back(round.sends[0]);
    round.computes.push_back(round.computes[0]);
    round.receives.push_back(round.receives[0]);
  }
  EXPECT_EQ(9, round.fragments());
  EXPECT_EQ(3 * 5 * sync, synchronous_seconds(round, 5));
  EXPECT_EQ(3 * 5 * device, device_seconds(round, 5));
}

// X sends, a kernel of b, and X waits: the device is idle while the host launches, sends and waits.
TEST(ExchangeModel, TheDeviceIsIdleForWhatTheHostDoes) {
  const double launch = 4, send = 2, wait = 8, kernel = 1;
  for (int x = 1; x <= 27; ++x) {
    ExchangeRound round;
    for (int i = 0; i < x; ++i) {
      round.sends.push_back({launch, kernel, kernel, send}); // the host waits until rows are packed
      round.receives.push_back({wait, kernel, launch, kernel});
    }
    EXPECT_EQ(x * (2 * launch + send + wait), idle_seconds(round, 1));
  }
  ExchangeRound busy;
  busy.computes.push_back({1, 0, 100});
  EXPECT_EQ(0, idle_seconds(busy, 3));
}

TEST(ExchangeModel, AHostThatEnqueuesSlowlyDecidesTheTimeOfStreams) {
  ExchangeRound round = one_of_each();
  round.computes[0].launch = 4096;
  EXPECT_EQ(enqueue_seconds(round, 2), stream_seconds(round, 2));
  EXPECT_LT(device_seconds(round, 2), stream_seconds(round, 2));
}

TEST(ExchangeModel, AKernelOverlapsWhatIsOnTheDeviceTogether) {
  const ExchangeRound round = one_of_each();
  const double launch = 2, sends = 4 + 8, computes = 64, receives = 128 + 1024;
  EXPECT_EQ(launch + receives, kernel_seconds(round, 1, launch, 1)); // the longest of the three
  EXPECT_EQ(launch + sends + computes + receives, kernel_seconds(round, 1, launch, 0));
  EXPECT_EQ(3 * (launch + receives + (sends + computes) / 2), kernel_seconds(round, 3, launch, 0.5));
  EXPECT_LE(kernel_seconds(round, 1, 0, 1), device_seconds(round, 1));
  EXPECT_EQ(kernel_seconds(round, 1, 0, 0), device_seconds(round, 1));
}

// Where both conditions hold, streams are faster, and by the idle time less the waits; each alone is not enough.
TEST(ExchangeModel, TheConditionsSayWhatTheEquationsSay) {
  const double set_up = 10;
  for (const double waits : {0., 1., 7., 8., 30.})
    for (const double kernel : {1., 16., 64.}) {
      // The host waits for each kernel, sends for 4 seconds, waits for 4, and launches nothing for free.
      const ExchangeRound sync{{{1, kernel, kernel, 4}}, {{1, kernel, kernel}}, {{4, kernel, 1, kernel}}};
      const ExchangeRound stream{{{1, 0, kernel, 0}}, {{1, 0, kernel}}, {{waits, 0, 1, kernel}}};
      const ExchangeFigures figures{enqueue_seconds(stream, 1), device_seconds(stream, 1), waits, idle_seconds(sync, 1),
                                    set_up};
      EXPECT_EQ(11, figures.idle);
      EXPECT_EQ(synchronous_seconds(sync, 1) - stream_seconds(stream, 1), figures.gain());
      EXPECT_EQ(3 < 3 * kernel + waits, figures.enqueues_in_time());
      EXPECT_EQ(waits < 11, figures.waits_less());
      if (figures.enqueues_in_time() && figures.waits_less()) {
        EXPECT_GT(figures.gain(), 0);
        EXPECT_EQ(std::ceil(set_up / (11 - waits)), figures.rounds_to_gain());
      }
      if (!figures.waits_less()) {
        EXPECT_TRUE(std::isinf(figures.rounds_to_gain()));
      }
    }
  const ExchangeFigures slow_host{20, 10, 1, 5, set_up};
  EXPECT_FALSE(slow_host.enqueues_in_time());
  EXPECT_EQ(5 - 1 - 10, slow_host.gain());
}

} // namespace

// SPDX-License-Identifier: MIT
