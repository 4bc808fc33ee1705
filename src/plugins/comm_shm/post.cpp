// Messages at any time. Each is a piece of its own in the job's memory, and names the one that was there before: the
// receiver takes the whole list at once.
#include <algorithm>
#include <cstring>
#include <vector>

#include "comm_shm.hpp"
#include "plugins/comm_common/sparse_messages.hpp"

namespace op2::comm_shm {

using comm_common::Message;

namespace {

// In front of the bytes of a message.
struct Envelope {
  uint64_t before, bytes; // offset of the message before, 0 = none
  int64_t from;
};

Message take(op_comm *comm, uint64_t &offset) {
  Piece piece = comm->memory.find(offset, sizeof(Envelope));
  Envelope envelope{};
  if (piece.data()) std::memcpy(&envelope, piece.data(), sizeof envelope);
  const size_t whole = sizeof envelope + envelope.bytes;
  if (piece.data() && piece.size() < whole) piece = comm->memory.find(offset, whole);
  if (!piece.data()) fail(OP_ERR_MEMORY, "a message of ", envelope.bytes, " bytes cannot be mapped");
  Message out{static_cast<int>(envelope.from), envelope.bytes, comm_common::memory<char>(comm->host, envelope.bytes)};
  std::memcpy(out.data.get(), piece.data() + sizeof envelope, envelope.bytes);
  comm->memory.give_back(piece);
  offset = envelope.before;
  return out;
}

} // namespace

op_status post(op_comm *comm, int32_t rank, const void *data, size_t bytes) {
  return entry(comm->host, [&] {
    if (rank < 0 || rank >= comm->size() || rank == comm->rank())
      fail(OP_ERR_ARGUMENT, "process ", comm->rank(), " of ", comm->size(), " cannot post a message to process ", rank);
    Piece piece = comm->memory.make(sizeof(Envelope) + bytes);
    if (!piece.data()) fail(OP_ERR_MEMORY, "no shared memory for a message of ", bytes, " bytes");
    if (bytes > 0) std::memcpy(piece.data() + sizeof(Envelope), data, bytes);
    std::atomic_ref<uint64_t> inbox(comm->board.inbox(rank));
    Envelope envelope{inbox.load(), bytes, comm->rank()};
    do std::memcpy(piece.data(), &envelope, sizeof envelope);
    while (!inbox.compare_exchange_weak(envelope.before, piece.offset()));
  });
}

op_status poll(op_comm *comm, op_comm_messages *mail) {
  return entry(comm->host, [&] {
    std::vector<Message> messages;
    const std::atomic_ref<uint64_t> inbox(comm->board.inbox(comm->rank()));
    if (inbox.load(std::memory_order_relaxed) != 0)
      for (uint64_t offset = inbox.exchange(0); offset != 0;) messages.push_back(take(comm, offset));
    else
      comm->memory.refuse_when_over();
    std::reverse(messages.begin(), messages.end());
    comm_common::deliver(comm->host, messages, *mail);
  });
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
