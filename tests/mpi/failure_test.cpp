// failure_test.cpp: of all processes that fail, one tells.
#include "support.hpp"

namespace mpi {
namespace {

TEST(Failure, OneProcessTells) {
  for (int round = 0; round < 3; ++round) {
    Job job;
    const int told = job->claim_failure() ? 1 : 0;
    EXPECT_EQ(1, job->sum(told));
  }
}

TEST(Failure, OnlyOnce) {
  Job job;
  if (job.rank() != job.size() - 1) return;
  EXPECT_TRUE(job->claim_failure()); // no other process is asked
  EXPECT_FALSE(job->claim_failure());
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
