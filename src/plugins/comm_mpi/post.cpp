// Messages at any time: sends that complete when they like, and receives of whatever is there.
#include <cstring>

#include "comm_mpi.hpp"
#include "sparse.hpp"

namespace op2::comm_mpi {

using comm_common::memory;
using comm_common::Message;

namespace {

// Also lets MPI go on with the messages that have not left.
void forget_sent(op_comm *comm) {
  std::erase_if(comm->posted, [](Posted &message) {
    int done = 0;
    OP2_MPI(MPI_Test, &message.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

} // namespace

op_status post(op_comm *comm, int32_t rank, const void *data, size_t bytes) {
  return entry(comm->host, [&] {
    if (rank < 0 || rank >= comm->size || rank == comm->rank)
      fail(OP_ERR_ARGUMENT, "process ", comm->rank, " of ", comm->size, " cannot post a message to process ", rank);
    forget_sent(comm);
    Posted message{MPI_REQUEST_NULL, memory<char>(comm->host, bytes)};
    if (bytes > 0) std::memcpy(message.data.get(), data, bytes);
    const Bytes whole(bytes);
    OP2_MPI(MPI_Isend, message.data.get(), whole.count, whole.type, rank, tag_post, comm->comm, &message.request);
    comm->posted.push_back(std::move(message));
  });
}

op_status poll(op_comm *comm, op_comm_messages *mail) {
  return entry(comm->host, [&] {
    forget_sent(comm);
    std::vector<Message> messages;
    while (receive_any(comm, tag_post, messages)) {
    }
    comm_common::deliver(comm->host, messages, *mail);
  });
}

// Whoever should have taken a message that is still here has failed. MPI may read it for ever.
void give_up_posts(op_comm *comm) {
  for (Posted &message : comm->posted) {
    int done = 0;
    if (MPI_Test(&message.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done) continue;
    MPI_Request_free(&message.request);
    (void)message.data.release();
  }
  comm->posted.clear();
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
