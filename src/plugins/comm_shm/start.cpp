// The beginning and the end of a communicator, also the end of a job that went wrong.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "comm_shm.hpp"

namespace op2::comm_shm {

namespace {

// Of the launchers of MPI libraries: they start processes, too, that find no job of ours.
void refuse_other_launchers() {
  constexpr const char *launchers[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};
  if (std::getenv(size_variable)) return;
  for (const auto &[size, rank] : launchers) {
    const char *count = std::getenv(size), *own = std::getenv(rank);
    if (!count || std::atoi(count) < 2) continue;
    // All of them are here with the same message. After the first one has told it, most launchers end the others.
    if (own && std::atoi(own) > 0) std::this_thread::sleep_for(std::chrono::seconds(3));
    fail(OP_ERR_BACKEND, "a launcher of MPI has started this process (", size, "=", count,
         "), and communicator shm works together under op2_launch only: say op2_launch -n ", count,
         " instead of mpirun, or OP2_BACKEND=mpi; if this process is meant to be alone, use OP2_BACKEND=self");
  }
}

} // namespace

op_status open(const op_comm_params *params, op_comm **comm) {
  return entry(params->host, [&] {
    if (params->native_given)
      fail(OP_ERR_BACKEND,
           "the program gives a communicator of MPI, of which plugin shm knows nothing; use OP2_BACKEND=mpi");
    refuse_other_launchers();
    *comm = std::make_unique<op_comm>(params->host).release();
    if ((*comm)->rank() == 0)
      params->host->log(params->host, OP_LOG_DEBUG,
                        ("shared memory: " + std::to_string((*comm)->size()) + " processes").c_str());
  });
}

void close(op_comm *comm) { const std::unique_ptr<op_comm> mine(comm); }

// Those who come second wait a little, so that they do not end the job before the first one has told why. A process
// that the launcher saw end is told of by the launcher.
int claim_failure(op_comm *comm) {
  constexpr std::chrono::milliseconds patience{500};
  const Ending::Kind kind = ending_of(comm->memory.job()).kind;
  if ((kind == Ending::none || kind == Ending::aborted) && comm->board.claim()) return 1;
  if (kind == Ending::none) std::this_thread::sleep_for(patience);
  return 0;
}

// The others leave what they wait in, and the launcher ends those that compute. The caller ends this one.
void abort_job(op_comm *comm, int code) {
  std::fflush(nullptr);
  note_ending(comm->memory.job(), {Ending::aborted, comm->rank(), code});
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
