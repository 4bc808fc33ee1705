// The end of a job that went wrong: one process tells why, all end.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

namespace {
// Until the others of a node have told, or until the first node has.
constexpr std::chrono::milliseconds patience{500};
} // namespace

// No call of MPI: the process may be inside of one, in any thread. Those who come second wait a little, so that they do
// not end the job before the first one has told why.
int claim_failure(op_comm *comm) {
  if (!comm->first_node) std::this_thread::sleep_for(patience);
  int nobody = 0;
  if (std::atomic_ref<int>(*comm->claim).compare_exchange_strong(nobody, 1)) return 1;
  std::this_thread::sleep_for(patience);
  return 0;
}

// A process that is alone ends itself, as with communicator self.
void abort_job(op_comm *comm, int code) {
  std::fflush(nullptr);
  if (comm->world_size > 1 && !finalised()) MPI_Abort(comm->comm, code);
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
