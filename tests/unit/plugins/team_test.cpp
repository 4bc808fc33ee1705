// team_test.cpp: whether all threads share a short loop or one runs it alone.
#include <gtest/gtest.h>

#include "plugins/exec_common/threads/team.hpp"

using op2::exec_threads::Team;

namespace {

// So many runs that take these seconds with all threads and with one; how many ran alone.
int run(Team &team, int runs, double all, double one, int elements = 1000) {
  int alone = 0;
  for (int n = 0; n < runs; ++n) {
    const bool by_one = team.alone();
    alone += by_one;
    if (team.timed(elements)) team.note(by_one ? one : all);
  }
  return alone;
}

TEST(Team, AShortLoopIsLeftToOneThreadWhereThatIsFaster) {
  Team team;
  EXPECT_EQ(0, run(team, 16, 5e-5, 1e-5)); // all threads at first
  run(team, 7, 5e-5, 1e-5);
  EXPECT_EQ(41, run(team, 41, 5e-5, 1e-5));
  EXPECT_TRUE(team.alone());
}

TEST(Team, ThreadsStayWhereTheyAreFaster) {
  Team team;
  const int alone = run(team, 10000, 1e-5, 1.9e-5);
  EXPECT_GT(alone, 0);
  EXPECT_LT(alone, 60);
  EXPECT_FALSE(team.alone());
}

TEST(Team, OneRunShowsThatAThreadAloneIsHopeless) {
  Team team;
  const int alone = run(team, 10000, 1e-5, 15e-5);
  EXPECT_GT(alone, 0);
  EXPECT_LT(alone, 6);
}

TEST(Team, LongLoopsAreNotTried) {
  Team team;
  EXPECT_EQ(0, run(team, 10000, 2e-3, 1e-3));
}

TEST(Team, ALaterLookFollowsTheMachine) {
  Team team;
  run(team, 200, 5e-5, 1e-5);
  EXPECT_TRUE(team.alone());
  run(team, 20000, 1e-5, 2e-5);
  EXPECT_FALSE(team.alone());
}

// Runs of a part of the elements say nothing of the whole.
TEST(Team, PartsAreNotTimed) {
  Team team;
  for (int n = 0; n < 1000; ++n) {
    if (team.timed(1000)) team.note(team.alone() ? 2e-5 : 1e-5);
    EXPECT_FALSE(team.timed(10));
  }
  EXPECT_FALSE(team.alone());
}

} // namespace

// SPDX-License-Identifier: MIT
