// Messages to processes that do not expect them, by the algorithm NBX: T. Hoefler, C. Siebert, A. Lumsdaine, Scalable
// communication protocols for dynamic sparse data exchange, PPoPP 2010. Sends complete when they are being received;
// who sees all of its own complete enters a barrier that does not block and goes on receiving; behind the barrier
// nothing is under way.
#include "sparse.hpp"

#include <cstring>

namespace op2::comm_mpi {

using comm_common::deliver;
using comm_common::memory;
using comm_common::Message;

bool receive_any(op_comm *comm, int tag, std::vector<Message> &messages) {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  OP2_MPI(MPI_Improbe, MPI_ANY_SOURCE, tag, comm->comm, &found, &message, &status);
  if (!found) return false;
  MPI_Count bytes = 0;
  OP2_MPI(MPI_Get_elements_x, &status, MPI_BYTE, &bytes);
  const size_t size = static_cast<size_t>(bytes);
  Message out{status.MPI_SOURCE, size, memory<char>(comm->host, size)};
  const Bytes whole(size);
  OP2_MPI(MPI_Mrecv, out.data.get(), whole.count, whole.type, &message, MPI_STATUS_IGNORE);
  messages.push_back(std::move(out));
  return true;
}

namespace {

// Receives until everybody's messages have arrived.
void receive_all(op_comm *comm, int tag, std::vector<MPI_Request> &sends, std::vector<Message> &messages) {
  bool sent = false;
  MPI_Request all_sent = MPI_REQUEST_NULL;
  for (int over = 0; !over;) {
    if (receive_any(comm, tag, messages)) continue;
    if (sent) {
      OP2_MPI(MPI_Test, &all_sent, &over, MPI_STATUS_IGNORE);
    } else {
      int done = 0;
      OP2_MPI(MPI_Testall, static_cast<int>(sends.size()), sends.data(), &done, MPI_STATUSES_IGNORE);
      if (!done) continue;
      OP2_MPI(MPI_Ibarrier, comm->comm, &all_sent);
      sent = true;
    }
  }
}

} // namespace

op_status sparse_exchange(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                          const void *send, op_comm_messages *received) {
  return entry(comm->host, [&] {
    // Whoever is through early may be sending the next messages already, but not those after: two tags are enough.
    const int tag = tag_sparse + (comm->odd_exchange ? 1 : 0);
    comm->odd_exchange = !comm->odd_exchange;
    std::vector<Message> messages;
    std::vector<MPI_Request> sends;
    for (int32_t m = 0; m < nsend; ++m) {
      const int to = send_rank[m];
      if (to < 0 || to >= comm->size) fail(OP_ERR_ARGUMENT, "there is no process ", to, " of ", comm->size);
      const char *from = static_cast<const char *>(send) + send_offset[m];
      const size_t bytes = send_offset[m + 1] - send_offset[m];
      if (to == comm->rank) {
        messages.push_back({to, bytes, memory<char>(comm->host, bytes)});
        if (bytes > 0) std::memcpy(messages.back().data.get(), from, bytes);
        continue;
      }
      const Bytes whole(bytes);
      sends.push_back(MPI_REQUEST_NULL);
      OP2_MPI(MPI_Issend, from, whole.count, whole.type, to, tag, comm->comm, &sends.back());
    }
    if (comm->size > 1) receive_all(comm, tag, sends, messages);
    deliver(comm->host, messages, *received);
  });
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
