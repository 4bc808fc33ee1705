// Messages to processes that do not expect them. Each shows a list of its messages and says for whom there are some.
#include <vector>

#include "comm_shm.hpp"
#include "plugins/comm_common/sparse_messages.hpp"

namespace op2::comm_shm {

using comm_common::Message;

namespace {

// In front of the messages: their number, then one of these for each.
struct MessageHeader {
  uint64_t to, begin, bytes; // from the beginning of what is shown
};

std::vector<MessageHeader> headers(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset) {
  std::vector<MessageHeader> out;
  const uint64_t front = sizeof(uint64_t) + static_cast<size_t>(nsend) * sizeof(MessageHeader);
  for (int32_t m = 0; m < nsend; ++m) {
    if (send_rank[m] < 0 || send_rank[m] >= comm->size())
      fail(OP_ERR_ARGUMENT, "there is no process ", send_rank[m], " of ", comm->size());
    out.push_back({static_cast<uint64_t>(send_rank[m]), front + send_offset[m] - send_offset[0],
                   send_offset[m + 1] - send_offset[m]});
  }
  return out;
}

void take_from(op_comm *comm, int from, std::vector<Message> &messages) {
  const char *const shown = comm->board.of(from);
  uint64_t count = 0;
  std::memcpy(&count, shown, sizeof count);
  for (uint64_t m = 0; m < count; ++m) {
    MessageHeader header;
    std::memcpy(&header, shown + sizeof count + m * sizeof header, sizeof header);
    if (header.to != static_cast<uint64_t>(comm->rank())) continue;
    messages.push_back({from, header.bytes, comm_common::memory<char>(comm->host, header.bytes)});
    if (header.bytes > 0) std::memcpy(messages.back().data.get(), shown + header.begin, header.bytes);
  }
}

} // namespace

op_status sparse_exchange(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                          const void *send, op_comm_messages *received) {
  return entry(comm->host, [&] {
    const std::vector<MessageHeader> list = headers(comm, nsend, send_rank, send_offset);
    uint64_t for_whom = 0;
    for (const MessageHeader &header : list) for_whom |= uint64_t{1} << (header.to % 64);
    const uint64_t count = list.size();
    const size_t front = sizeof count + list.size() * sizeof(MessageHeader);
    const size_t bytes = nsend > 0 ? send_offset[nsend] - send_offset[0] : 0;
    std::vector<Message> messages;
    comm->board.share(
        count > 0 ? front + bytes : 0,
        [&](char *into) {
          std::memcpy(into, &count, sizeof count);
          std::memcpy(into + sizeof count, list.data(), list.size() * sizeof(MessageHeader));
          if (bytes > 0) std::memcpy(into + front, static_cast<const char *>(send) + send_offset[0], bytes);
        },
        [&] {
          for (int from = 0; from < comm->size(); ++from)
            if (comm->board.bytes_of(from) > 0 && comm->board.is_for(from, comm->rank()))
              take_from(comm, from, messages);
        },
        for_whom);
    comm_common::deliver(comm->host, messages, *received);
  });
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
