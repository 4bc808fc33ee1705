// trouble.cpp: jobs that end badly: `trouble <what> [rank]`, started by trouble.sh.
//   open    opens the communicator and says of how many processes it is
//   work    works together without end and says so; somebody kills one
//   sleep   opens the communicator, then does nothing for long
//   leave   process `rank` calls exit() while the others wait for it
//   late    process `rank` cannot open the communicator, the others wait
//   fail    process `rank`, or all without one, fail: one tells why, all end
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "support.hpp"

namespace {

[[noreturn]] void end_of_job(mpi::Job &job, const std::string &why) {
  if (job->claim_failure()) std::fprintf(stderr, "trouble: process %d: %s\n", job.rank(), why.c_str());
  std::fflush(stderr);
  job->abort(EXIT_FAILURE);
  std::exit(EXIT_FAILURE);
}

int run(const std::string &what, int rank) {
  const char *const own = std::getenv(std::getenv("OP2_LAUNCH_RANK") ? "OP2_LAUNCH_RANK" : "OMPI_COMM_WORLD_RANK");
  if (what == "late" && own && std::atoi(own) == rank) {
    const int nonsense = 123456;
    const mpi::Job refused(&nonsense);
  }
  mpi::Job job;
  if (what == "open") std::printf("opened, %d processes\n", job.size());
  if (what == "open") return 0;
  if (what == "fail" && (rank < 0 || job.rank() == rank)) end_of_job(job, "wrong on purpose");
  std::printf("process %d is %d\n", job.rank(), static_cast<int>(getpid()));
  std::fflush(stdout);
  if (what != "fail") job->barrier();
  if (what == "sleep") sleep(600);
  if (what == "leave" && job.rank() == rank) std::exit(0);
  for (;;) job->sum(1);
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : "", argc > 2 ? std::atoi(argv[2]) : -1);
  } catch (const mpi::Error &error) {
    std::fprintf(stderr, "trouble: %s (%s)\n", error.what(), op2::core::status_name(error.code));
    std::exit(EXIT_FAILURE);
  }
}

// SPDX-License-Identifier: MIT
