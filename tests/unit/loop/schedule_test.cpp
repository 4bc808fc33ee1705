// schedule_test.cpp: the steps of loops, their order, and what each of them waits for.
#include "loop/schedule.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace op2::core {
namespace {

TEST(Schedule, OneProcessRunsAndNotes) {
  EXPECT_EQ("ready, run 0, note", Schedule(std::vector<LoopPart>{{0, 10}}, {}).text());
  ScheduleTraits traits;
  traits.reduces = traits.waits = true;
  EXPECT_EQ("ready, run 0, wait, reduce, note", Schedule(std::vector<LoopPart>{{0, 10}}, traits).text());
  EXPECT_EQ("ready, note", Schedule(std::vector<LoopPart>{{0, 0}}, {}).text()) << "no elements";
}

ScheduleTraits exchanging(int core_size) {
  ScheduleTraits traits;
  traits.core_size = core_size;
  traits.several = traits.exchanges = true;
  return traits;
}

TEST(Schedule, ProcessesAgreeBeforeAnythingChangesAndAtTheEnd) {
  ScheduleTraits traits;
  traits.several = traits.shares = true;
  EXPECT_EQ("agree, ready, run 0, agree, reduce, note", Schedule(std::vector<LoopPart>{{0, 10}}, traits).text());
}

TEST(Schedule, CoreElementsRunWhileMessagesAreOnTheirWay) {
  ScheduleTraits traits = exchanging(6);
  EXPECT_EQ("look, agree, bring, ready, start, run 0, send, finish, run 1, agree, note",
            Schedule(std::vector<LoopPart>{{0, 6}, {6, 10}}, traits).text());
  traits.reduces = true; // runs wait for what they reduce, so others' messages go first
  EXPECT_EQ("look, agree, bring, ready, start, send, run 0, finish, run 1, run 2, agree, reduce, note",
            Schedule(std::vector<LoopPart>{{0, 6}, {6, 10}, {10, 14, false}}, traits).text());
}

TEST(Schedule, ProcessesWithoutElementsExchangeLikeOthers) {
  EXPECT_EQ("look, agree, bring, ready, start, finish, agree, note",
            Schedule(std::vector<LoopPart>{{0, 0}}, exchanging(0)).text());
  EXPECT_EQ("look, agree, bring, ready, start, run 0, send, finish, agree, note",
            Schedule(std::vector<LoopPart>{{0, 10}}, exchanging(10)).text());
}

// All steps that a step waits for, and those that these wait for.
std::vector<Steps> all_before(std::span<const Step> steps) {
  std::vector<Steps> out;
  for (const Step &step : steps) {
    Steps all = step.after;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (step.after >> i & 1) all |= out[i];
    out.push_back(all);
  }
  return out;
}

// Whoever performs steps in any order that respects `after` must get what the order of the list gives.
TEST(Schedule, StepsWaitForWhatTheyNeed) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    ScheduleTraits traits;
    bool *const flags[] = {&traits.several, &traits.exchanges, &traits.conflicts,
                           &traits.reduces, &traits.shares,    &traits.waits};
    for (bool *flag : flags) *flag = random() % 2 != 0;
    traits.several = traits.several || traits.exchanges;
    const int core = static_cast<int>(random() % 3), size = core + static_cast<int>(random() % 3);
    std::vector<LoopPart> parts;
    if (core > 0) parts.push_back({0, core});
    if (size > core || parts.empty()) parts.push_back({core, size});
    if (random() % 2) parts.push_back({size, size + 2, false});
    traits.core_size = core;
    const Schedule schedule(parts, traits);
    const std::span<const Step> steps = schedule.steps();
    const std::vector<Steps> before = all_before(steps);
    const auto find = [&](Do what, std::size_t from) {
      while (from < steps.size() && steps[from].what != what) ++from;
      return from;
    };
    const std::size_t ready = find(Do::ready, 0), finish = find(Do::finish, 0), note = steps.size() - 1;
    std::size_t last_run = steps.size(), runs = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ASSERT_EQ(0u, steps[i].after >> i) << "a step waits for itself or for a later one: " << schedule.text();
      if (steps[i].what != Do::run) continue;
      ++runs;
      const LoopPart &part = parts[static_cast<std::size_t>(steps[i].part)];
      ASSERT_TRUE(before[i] >> ready & 1) << schedule.text();
      const bool meet = traits.conflicts || traits.reduces || traits.shares, waits = (before[i] >> finish & 1) != 0;
      ASSERT_EQ(traits.exchanges && part.end > core, waits) << schedule.text();
      ASSERT_TRUE(!meet || last_run == steps.size() || before[i] >> last_run & 1) << schedule.text();
      ASSERT_TRUE(before[note] >> i & 1) << schedule.text();
      const std::size_t reduce = find(Do::reduce, 0);
      ASSERT_TRUE(reduce == steps.size() || before[reduce] >> i & 1) << schedule.text();
      last_run = i;
    }
    std::size_t filled = 0;
    for (const LoopPart &part : parts) filled += part.begin < part.end ? 1 : 0;
    ASSERT_EQ(filled, runs) << schedule.text();
    ASSERT_EQ(Do::note, steps[note].what);
    ASSERT_EQ(traits.exchanges, finish < note);
    if (!traits.exchanges) continue;
    const std::size_t agree = find(Do::agree, 0), bring = find(Do::bring, 0), start = find(Do::start, 0);
    ASSERT_TRUE((before[bring] >> agree & 1) && (before[start] >> bring & 1) && (before[finish] >> start & 1));
    ASSERT_TRUE(before[note] >> finish & 1);
    ASSERT_TRUE(before[note] >> find(Do::agree, finish) & 1) << "all agree at the end: " << schedule.text();
  }
}

} // namespace
} // namespace op2::core
