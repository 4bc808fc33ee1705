// Collectives that move bytes between all processes.
#include <algorithm>
#include <cstring>
#include <limits>

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

namespace {

constexpr size_t largest_int = static_cast<size_t>(std::numeric_limits<int>::max());

void broadcast(op_comm *comm, void *data, size_t bytes, int root) {
  if (bytes == 0) return;
  const Bytes whole(bytes);
  OP2_MPI(MPI_Bcast, data, whole.count, whole.type, root, comm->comm);
}

// More than an int can count in total: part by part.
void gather_by_broadcasts(op_comm *comm, const void *send, size_t bytes, char *recv, const size_t *offsets) {
  char *own = recv + offsets[comm->rank];
  if (own != send) std::memcpy(own, send, bytes);
  for (int p = 0; p < comm->size; ++p) broadcast(comm, recv + offsets[p], offsets[p + 1] - offsets[p], p);
}

void gather(op_comm *comm, const void *send, size_t bytes, char *recv, const size_t *offsets) {
  const size_t processes = static_cast<size_t>(comm->size);
  std::vector<int> counts(processes), starts(processes);
  for (size_t p = 0; p < processes; ++p) {
    counts[p] = static_cast<int>(offsets[p + 1] - offsets[p]);
    starts[p] = static_cast<int>(offsets[p] - offsets[0]);
  }
  const void *from = send == recv + offsets[comm->rank] ? MPI_IN_PLACE : send;
  OP2_MPI(MPI_Allgatherv, from, static_cast<int>(bytes), MPI_BYTE, recv + offsets[0], counts.data(), starts.data(),
          MPI_BYTE, comm->comm);
}

} // namespace

op_status barrier(op_comm *comm) {
  return entry(comm->host, [&] { OP2_MPI(MPI_Barrier, comm->comm); });
}

op_status bcast(op_comm *comm, void *data, size_t bytes, int32_t root) {
  return entry(comm->host, [&] {
    if (root < 0 || root >= comm->size) fail(OP_ERR_ARGUMENT, "there is no process ", root, " of ", comm->size);
    broadcast(comm, data, bytes, root);
  });
}

op_status allgatherv(op_comm *comm, const void *send, size_t bytes, void *recv, const size_t *offsets) {
  return entry(comm->host, [&] {
    const size_t room = offsets[comm->rank + 1] - offsets[comm->rank];
    if (bytes != room) fail(OP_ERR_ARGUMENT, "process ", comm->rank, " gives ", bytes, " bytes, its place has ", room);
    const bool countable = offsets[comm->size] - offsets[0] <= largest_int;
    (countable ? gather : gather_by_broadcasts)(comm, send, bytes, static_cast<char *>(recv), offsets);
  });
}

op_status exscan(op_comm *comm, const int64_t *send, int64_t *recv, size_t count) {
  return entry(comm->host, [&] {
    for (size_t done = 0; done < count; done += largest_int) {
      const int piece = static_cast<int>(std::min(count - done, largest_int));
      OP2_MPI(MPI_Exscan, send + done, recv + done, piece, MPI_INT64_T, MPI_SUM, comm->comm);
    }
    if (comm->rank == 0) std::fill(recv, recv + count, 0); // MPI leaves it as it was
  });
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
