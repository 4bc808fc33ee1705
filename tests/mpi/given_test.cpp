// given_test.cpp: programs that use MPI themselves: they have initialised it, and may give a communicator of their own.
#include <mpi.h>

#include "support.hpp"

void start_mpi_in_program();
void end_mpi_in_program();
void start_mpi_in_program() { MPI_Init(nullptr, nullptr); }
void end_mpi_in_program() { MPI_Finalize(); } // still possible: the library has not done it

namespace mpi {
namespace {

TEST(Given, AllProcessesWhenNoneIsGiven) {
  Job job;
  int rank = -1, size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(rank, job.rank());
  EXPECT_EQ(size, job.size());
}

TEST(Given, HalvesWorkSideBySide) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); // in descending order
  int expected_size = 0, expected_rank = 0;
  MPI_Comm_size(half, &expected_size);
  MPI_Comm_rank(half, &expected_rank);
  {
    const int native = MPI_Comm_c2f(half);
    Job job(&native);
    EXPECT_EQ(expected_size, job.size());
    EXPECT_EQ(expected_rank, job.rank());
    for (int round = 0; round < 50; ++round) {
      EXPECT_EQ(job.size() * (rank % 2), job->sum(rank % 2)); // nothing from the other half
      const std::vector<int> to{(job.rank() + 1) % job.size()};
      const std::vector<std::size_t> offset{0, sizeof rank};
      const SparseMessages received = job->sparse_exchange(to, offset, &rank);
      ASSERT_EQ(1, received.count());
      EXPECT_EQ(rank % 2, received.values<int>(0)[0] % 2);
    }
    const int told = job->claim_failure() ? 1 : 0;
    EXPECT_EQ(1, job->sum(told)); // one of each half
  }
  MPI_Comm_free(&half);
}

TEST(Given, OneProcessOfMany) {
  const int native = MPI_Comm_c2f(MPI_COMM_SELF);
  Job job(&native);
  EXPECT_EQ(1, job.size());
  EXPECT_EQ(1, job->sum(1));
}

// The program receives whatever comes on its communicator; nothing of ours may come.
TEST(Given, MessagesOfTheProgramDoNotMeetOurs) {
  int rank = 0, size = 1, got = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  {
    Job job;
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(size, job->sum(1));
      const std::vector<int> to{(rank + 1) % size};
      const std::vector<std::size_t> offset{0, sizeof rank};
      EXPECT_EQ(1, job->sparse_exchange(to, offset, &rank).count());
    }
  }
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ((rank + size - 1) % size, got);
}

TEST(Given, FortranHandleOfOurs) {
  Job job;
  std::int64_t handle = -1;
  ASSERT_TRUE(job->native(0, handle));
  const MPI_Comm ours = MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
  int size = 0, relation = 0;
  MPI_Comm_size(ours, &size);
  EXPECT_EQ(job.size(), size);
  MPI_Comm_compare(MPI_COMM_WORLD, ours, &relation);
  EXPECT_EQ(MPI_CONGRUENT, relation); // the same processes, messages apart
  EXPECT_FALSE(job->native(1, handle));
}

TEST(Given, WrongHandleIsAnError) {
  for (const int native : {MPI_Comm_c2f(MPI_COMM_NULL), 123456}) {
    try {
      Job job(&native);
      ADD_FAILURE() << native << " was accepted";
    } catch (const Error &error) {
      EXPECT_EQ(OP_ERR_BACKEND, error.code);
      EXPECT_NE(std::string::npos, std::string(error.what()).find("given communicator")) << error.what();
    }
  }
}

TEST(Given, ErrorsOfTheProgramAreHandledAsBefore) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  { Job job; }
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  EXPECT_EQ(MPI_ERRORS_ARE_FATAL, handler);
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
