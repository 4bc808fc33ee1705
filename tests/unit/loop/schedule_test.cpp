// schedule_test.cpp: the steps of loops that run by themselves, and their order.
#include "loop/schedule.hpp"

#include <gtest/gtest.h>

#include <random>

namespace op2::core {
namespace {

TEST(Schedule, OneProcessRunsAndNotes) {
  EXPECT_EQ("bind, run 0, mark_written", schedule_loop(std::vector<LoopPart>{{0, 10}}, {}).text());
  ScheduleTraits traits;
  traits.reduces = traits.waits = true;
  EXPECT_EQ("bind, run 0, wait_executor, reduce, mark_written", schedule_loop(std::vector<LoopPart>{{0, 10}}, traits).text());
  EXPECT_EQ("bind, mark_written", schedule_loop(std::vector<LoopPart>{{0, 0}}, {}).text()) << "no elements";
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
  EXPECT_EQ("agree, bind, run 0, agree, reduce, mark_written", schedule_loop(std::vector<LoopPart>{{0, 10}}, traits).text());
}

TEST(Schedule, CoreElementsRunWhileMessagesAreOnTheirWay) {
  ScheduleTraits traits = exchanging(6);
  EXPECT_EQ("find_stale, agree, exchange, bind, post, run 0, send, wait_messages, run 1, agree, mark_written",
            schedule_loop(std::vector<LoopPart>{{0, 6}, {6, 10}}, traits).text());
  traits.reduces = true; // runs wait for what they reduce, so others' messages go first
  EXPECT_EQ("find_stale, agree, exchange, bind, post, send, run 0, wait_messages, run 1, run 2, agree, reduce, mark_written",
            schedule_loop(std::vector<LoopPart>{{0, 6}, {6, 10}, {10, 14, false}}, traits).text());
}

TEST(Schedule, ProcessesWithoutElementsExchangeLikeOthers) {
  EXPECT_EQ("find_stale, agree, exchange, bind, post, wait_messages, agree, mark_written",
            schedule_loop(std::vector<LoopPart>{{0, 0}}, exchanging(0)).text());
  EXPECT_EQ("find_stale, agree, exchange, bind, post, run 0, send, wait_messages, agree, mark_written",
            schedule_loop(std::vector<LoopPart>{{0, 10}}, exchanging(10)).text());
}

// Whatever the loop, a step comes after the steps that it needs.
TEST(Schedule, StepsComeAfterWhatTheyNeed) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    ScheduleTraits traits;
    bool *const flags[] = {&traits.several, &traits.exchanges, &traits.reduces, &traits.shares, &traits.waits};
    for (bool *flag : flags) *flag = random() % 2 != 0;
    traits.several = traits.several || traits.exchanges;
    const int core = static_cast<int>(random() % 3), size = core + static_cast<int>(random() % 3);
    std::vector<LoopPart> parts;
    if (core > 0) parts.push_back({0, core});
    if (size > core || parts.empty()) parts.push_back({core, size});
    if (random() % 2) parts.push_back({size, size + 2, false});
    traits.core_size = core;
    const Schedule schedule = schedule_loop(parts, traits);
    const std::vector<Step> &steps = schedule.steps;
    const std::size_t none = steps.size();
    const auto find = [&](Do what, std::size_t from = 0) {
      while (from < none && steps[from].what != what) ++from;
      return from;
    };
    const std::size_t bind = find(Do::bind), wait = find(Do::wait_messages), reduce = find(Do::reduce);
    std::vector<int> ran;
    for (std::size_t i = 0; i < none; ++i) {
      if (steps[i].what != Do::run) continue;
      ran.push_back(steps[i].part);
      const LoopPart &part = parts[static_cast<std::size_t>(steps[i].part)];
      ASSERT_LT(bind, i) << schedule.text();
      ASSERT_LT(i, reduce) << schedule.text();
      ASSERT_TRUE(steps[i].whole()) << schedule.text();
      if (traits.exchanges && part.end > core) {
        ASSERT_LT(wait, i) << schedule.text();
      }
    }
    std::vector<int> filled;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (parts[p].begin < parts[p].end) filled.push_back(static_cast<int>(p));
    ASSERT_EQ(filled, ran) << schedule.text();
    ASSERT_EQ(Do::mark_written, steps.back().what);
    ASSERT_EQ(none, schedule.first_closing_step) << "only schedules of several loops close them";
    ASSERT_EQ(traits.exchanges, wait < none);
    if (!traits.exchanges) continue;
    const std::size_t agree = find(Do::agree), exchange = find(Do::exchange), post = find(Do::post);
    ASSERT_TRUE(agree < exchange && exchange < bind && bind < post && post < wait) << schedule.text();
    ASSERT_LT(find(Do::agree, wait), none) << "all agree at the end: " << schedule.text();
  }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
