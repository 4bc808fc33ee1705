// When generated code is compared again.
#include "loop/form/recheck_schedule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using op2::core::RecheckSchedule;

// The calls up to `last` before which a loop is compared, if a comparison takes `cost` and a call `per_call`.
std::vector<long> compared(RecheckSchedule &when, long last, double cost, double per_call) {
  std::vector<long> out;
  while (when.calls() < last)
    if (when.due()) {
      out.push_back(when.calls());
      when.compared(cost, per_call);
    }
  return out;
}

TEST(RecheckSchedule, DoublesWhereAComparisonTakesLong) {
  RecheckSchedule when(false);
  EXPECT_EQ((std::vector<long>{2, 4, 8, 16, 32, 64}), compared(when, 100, 1, 1));
}

TEST(RecheckSchedule, DoublesWhereNobodyTakesTime) {
  RecheckSchedule when(false);
  EXPECT_EQ((std::vector<long>{2, 4, 8, 16, 32, 64}), compared(when, 100, 1, 0));
}

TEST(RecheckSchedule, ComparesAsOftenAsItsShareAllows) {
  RecheckSchedule when(false);
  EXPECT_EQ((std::vector<long>{2, 3, 4, 5, 6}), compared(when, 6, 0.001, 1)); // a tenth of the share
  RecheckSchedule dearer(false);
  const std::vector<long> calls = compared(dearer, 10000, 0.2, 1); // each of them is worth twenty calls
  EXPECT_NEAR(500, static_cast<double>(calls.size()), 2);
  EXPECT_EQ(20, calls.back() - calls[calls.size() - 2]);
}

TEST(RecheckSchedule, ComparesBeforeEachCallWhereAsked) {
  RecheckSchedule when(true);
  EXPECT_EQ((std::vector<long>{1, 2, 3, 4}), compared(when, 4, 1, 1e-6));
}

TEST(RecheckSchedule, WaitsForARunAsAWhole) {
  RecheckSchedule when(false);
  EXPECT_FALSE(when.waits());
  for (int n = 0; n < 5; ++n) when.passed();
  EXPECT_TRUE(when.waits()); // 2 and 4 have passed
  EXPECT_TRUE(when.due());
  when.compared(1, 1);
  EXPECT_FALSE(when.waits());
  when.passed();
  EXPECT_TRUE(when.waits()); // the next call is the eighth
}

TEST(RecheckSchedule, Ends) {
  RecheckSchedule when(false);
  when.end();
  EXPECT_TRUE(compared(when, 100, 1, 1).empty());
  EXPECT_FALSE(when.waits());
}

} // namespace

// SPDX-License-Identifier: MIT
