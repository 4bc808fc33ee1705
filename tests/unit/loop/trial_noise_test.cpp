// How much of a result is rounding, found by other rounding modes.
#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>

#include "loop/trial/trial_noise.hpp"

namespace {

using op2::core::in_other_roundings;

TEST(TrialNoise, TheProgramsRoundingComesBack) {
  const int before = std::fegetround();
  int runs = 0;
  in_other_roundings([&] {
    EXPECT_NE(before, std::fegetround());
    ++runs;
  });
  EXPECT_EQ(3, runs);
  EXPECT_EQ(before, std::fegetround());
  EXPECT_THROW(in_other_roundings([] { throw std::runtime_error("a kernel that gives up"); }), std::runtime_error);
  EXPECT_EQ(before, std::fegetround());
}

} // namespace

// SPDX-License-Identifier: MIT
