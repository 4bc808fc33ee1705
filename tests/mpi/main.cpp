// main.cpp: GoogleTest in every process of a job. Rank 0 reports as usual, the others their failures only, and a
// failure anywhere is everybody's.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "support.hpp"

void start_mpi_in_program(); // of a program that does so, else nothing
void end_mpi_in_program();

namespace {

class OnlyFailures : public testing::EmptyTestEventListener {
 public:
  explicit OnlyFailures(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo &test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s, %s:%d: %s\n", rank_, test_.c_str(),
                 result.file_name() ? result.file_name() : "", result.line_number(), result.message());
  }
  int rank_;
  std::string test_; // GoogleTest holds a lock while it reports, so it cannot be asked then
};

class EndOfJob : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (!result.fatally_failed()) return;
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE); // mpirun ends those that have not finalised
  }
};

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  start_mpi_in_program();
  int rank = 0, failed = 0;
  {
    mpi::Job job;
    rank = job.rank();
  }
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank > 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OnlyFailures(rank));
  }
  listeners.Append(new EndOfJob);
  failed = RUN_ALL_TESTS();
  {
    mpi::Job job;
    failed = static_cast<int>(job->max(failed));
  }
  end_mpi_in_program();
  return failed;
}

// SPDX-License-Identifier: MIT
