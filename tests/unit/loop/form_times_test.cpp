// The choice among the forms of a loop by the times of its calls.
#include <gtest/gtest.h>

#include <vector>

#include "loop/form/form_times.hpp"

namespace {

using op2::core::FormTimes;

struct Outcome {
  std::size_t fastest;
  std::vector<int> calls; // by form
  double extra;           // time of all calls beyond that of as many calls of the fastest form
};

// Calls whose times are those of the forms, each call `disturbed` times as long where calls % 7 == 3.
Outcome choose(const std::vector<double> &seconds, double disturbed = 1) {
  FormTimes times(seconds.size());
  Outcome out{0, std::vector<int>(seconds.size()), 0};
  double spent = 0;
  int calls = 0;
  for (; !times.done() && calls < 1000; ++calls) {
    const std::size_t form = times.next();
    ++out.calls[form];
    const double time = seconds[form] * (calls % 7 == 3 ? disturbed : 1);
    spent += time;
    times.note(time);
  }
  EXPECT_TRUE(times.done()) << "never ends";
  out.fastest = times.fastest();
  out.extra = spent / seconds[out.fastest] - calls;
  return out;
}

TEST(FormTimes, TakesTheFastestForm) {
  EXPECT_EQ(0u, choose({1, 2, 3}).fastest);
  EXPECT_EQ(1u, choose({2, 1, 3}).fastest);
  EXPECT_EQ(2u, choose({3, 2, 1}).fastest);
}

TEST(FormTimes, KeepsTheFirstFormWhereOthersAreHardlyFaster) {
  EXPECT_EQ(0u, choose({1, 0.99}).fastest);
  EXPECT_EQ(1u, choose({1, 0.97}).fastest);
  EXPECT_EQ(2u, choose({1, 0.97, 0.96}).fastest);
}

TEST(FormTimes, SlowFormsCostLittle) {
  for (const double slow : {1.1, 1.24, 1.3, 1.6, 1.9}) {
    EXPECT_LE(choose({1, slow, slow, slow}).extra, 3.0) << slow;
    EXPECT_LE(choose({slow, 1, slow, slow}).extra, 3.0) << slow;
    EXPECT_LE(choose({1, slow, slow, slow, slow}).extra, 3.0) << slow; // the most forms that there are
  }
  EXPECT_LE(choose({1, 3, 3, 3, 3}).extra, 2.1); // one call of one of them is enough
  EXPECT_EQ(1u, choose({1.9, 1, 1.9, 1.9, 1.9}).fastest);
  EXPECT_EQ(1, choose({1, 3, 1.1}).calls[1]);
}

TEST(FormTimes, AShortCallOfAFormThatIsNewIsNotBelieved) {
  const double short_call = 1e-5;
  FormTimes times(2);
  times.note(short_call);
  times.note(5 * short_call); // its code came from memory
  while (!times.done()) times.note(times.next() == 1 ? 0.5 * short_call : short_call);
  EXPECT_EQ(1u, times.fastest());
}

TEST(FormTimes, ShortCallsAreRepeatedMoreOften) {
  EXPECT_EQ(3, choose({1, 1}).calls[0]);
  EXPECT_EQ(16, choose({1e-6, 1e-6}).calls[0]);
}

TEST(FormTimes, OneDisturbedCallDoesNotDecide) { EXPECT_EQ(1u, choose({1.0, 0.9, 1.0}, 1.2).fastest); }

TEST(FormTimes, SaysWhatItMeasured) {
  FormTimes times(2);
  times.note(0.002);
  times.note(0.004);
  EXPECT_EQ("vector x8 2.000 ms, scalar 4.000 ms", times.text({"vector x8", "scalar"}));
}

} // namespace
