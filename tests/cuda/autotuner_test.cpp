// autotuner_test.cpp: the choice among variants of a loop by their times.
#include <gtest/gtest.h>

#include "launch/autotuner.hpp"

using op2::exec_cuda::Autotuner;

namespace {

TEST(Autotuner, OneVariantIsNotMeasured) {
  EXPECT_FALSE(Autotuner().measuring());
  EXPECT_FALSE(Autotuner(1, 3).measuring());
  EXPECT_EQ(0u, Autotuner(1, 3).variant());
}

TEST(Autotuner, TheFastestIsTaken) {
  Autotuner tuner(3, 3);
  const double seconds[3][3] = {
      {1e-7, 5e-6, 4e-6}, {9e-6, 2e-6, 3e-6}, {9e-6, 3e-6, 3e-6}}; // the first call of each does not count
  for (std::size_t variant = 0; variant < 3; ++variant)
    for (int call = 0; call < 3; ++call) {
      EXPECT_TRUE(tuner.measuring());
      EXPECT_EQ(variant, tuner.variant());
      EXPECT_EQ(variant == 2 && call == 2, tuner.note(seconds[variant][call]));
    }
  EXPECT_FALSE(tuner.measuring());
  EXPECT_EQ(1u, tuner.variant());
  const char *const names[] = {"a", "b", "c"};
  EXPECT_EQ("a 4.0 us, b 2.0 us, c 3.0 us", tuner.times([&](std::size_t i) { return names[i]; }));
}

TEST(Autotuner, WhatCannotBeRunDoesNotWin) {
  Autotuner tuner(2, 2);
  EXPECT_FALSE(tuner.note(1));
  EXPECT_FALSE(tuner.note(1));
  EXPECT_FALSE(tuner.note(0));
  EXPECT_TRUE(tuner.skip());
  EXPECT_EQ(0u, tuner.variant());
}

TEST(Autotuner, AnEarlierOutcomeEndsTheMeasurement) {
  Autotuner tuner(3, 2);
  tuner.take(2);
  EXPECT_FALSE(tuner.measuring());
  EXPECT_EQ(2u, tuner.variant());
}

} // namespace

// SPDX-License-Identifier: MIT
