// Collectives: what all processes give is shown to all, and each takes from it what it needs. What is combined is so in
// the order of the ranks and in one shape, so the bits depend on their number alone and are the same everywhere.
#include <algorithm>
#include <vector>

#include "comm_shm.hpp"
#include "plugins/comm_common/sparse_messages.hpp"
#include "plugins/comm_common/values.hpp"

namespace op2::comm_shm {

namespace {

constexpr size_t combined_by_all = 4096; // of more than that each process combines a share, which the others take

void copy(void *into, const void *from, size_t bytes) {
  if (bytes > 0 && into != from) std::memcpy(into, from, bytes);
}

void need_bytes(op_comm *comm, int rank, size_t bytes) {
  if (comm->board.bytes_of(rank) != bytes)
    fail(OP_ERR_ARGUMENT, "process ", rank, " gives ", comm->board.bytes_of(rank), " bytes, process ", comm->rank(),
         " expects ", bytes);
}

// Into `result`: records r and r + 1, then those of two, of four, ... as communicator mpi does it.
template <class RecordOf>
void fold(op_comm *comm, void *result, size_t bytes, op_comm_combine_fn combine, void *context,
          const RecordOf &record_of) {
  constexpr size_t line = 64;
  const size_t ranks = static_cast<size_t>(comm->size()), stride = (bytes + line - 1) / line * line;
  const HostMemory<char> own = comm_common::memory<char>(comm->host, (ranks + 1) / 2 * stride);
  const auto at = [&](size_t rank) { return own.get() + rank / 2 * stride; };
  for (size_t rank = 0; rank < ranks; rank += 2) {
    std::memcpy(at(rank), record_of(rank), bytes);
    if (rank + 1 < ranks) combine(context, at(rank), record_of(rank + 1));
  }
  for (size_t step = 2; step < ranks; step *= 2)
    for (size_t rank = 0; rank + step < ranks; rank += 2 * step) combine(context, at(rank), at(rank + step));
  std::memcpy(result, at(0), bytes);
}

void combine_all(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context) {
  comm->board.share(
      bytes, [&](char *into) { std::memcpy(into, record, bytes); },
      [&] {
        for (int rank = 0; rank < comm->size(); ++rank) need_bytes(comm, rank, bytes);
        fold(comm, record, bytes, combine, context,
             [&](size_t rank) { return comm->board.of(static_cast<int>(rank)); });
      });
}

// The values are independent of each other, so each process combines some of them.
void combine_shares(op_comm *comm, char *data, size_t count, size_t value_bytes, op_comm_combine_fn combine) {
  const size_t processes = static_cast<size_t>(comm->size()), rank = static_cast<size_t>(comm->rank());
  const auto start = [&](size_t r) { return count / processes * r + std::min(r, count % processes); };
  const size_t bytes = count * value_bytes, first = start(rank) * value_bytes;
  size_t mine = start(rank + 1) - start(rank);
  comm->board.share(
      bytes, [&](char *into) { std::memcpy(into, data, bytes); },
      [&] {
        for (int r = 0; r < comm->size(); ++r) need_bytes(comm, r, bytes);
        fold(comm, data + first, mine * value_bytes, combine, &mine,
             [&](size_t r) { return comm->board.of(static_cast<int>(r)) + first; });
      });
  comm->board.share(
      mine * value_bytes, [&](char *into) { std::memcpy(into, data + first, mine * value_bytes); },
      [&] {
        for (size_t r = 0; r < processes; ++r)
          copy(data + start(r) * value_bytes, comm->board.of(static_cast<int>(r)),
               (start(r + 1) - start(r)) * value_bytes);
      });
}

} // namespace

op_status barrier(op_comm *comm) {
  return entry(comm->host, [&] { comm->board.step(); });
}

op_status bcast(op_comm *comm, void *data, size_t bytes, int32_t root) {
  return entry(comm->host, [&] {
    if (root < 0 || root >= comm->size()) fail(OP_ERR_ARGUMENT, "there is no process ", root, " of ", comm->size());
    if (comm->size() == 1) return;
    comm->board.share(
        comm->rank() == root ? bytes : 0, [&](char *into) { std::memcpy(into, data, bytes); },
        [&] {
          need_bytes(comm, root, bytes);
          if (comm->rank() != root) copy(data, comm->board.of(root), bytes);
        });
  });
}

op_status allgatherv(op_comm *comm, const void *send, size_t bytes, void *recv, const size_t *offsets) {
  return entry(comm->host, [&] {
    char *const into = static_cast<char *>(recv);
    const size_t room = offsets[comm->rank() + 1] - offsets[comm->rank()];
    if (bytes != room)
      fail(OP_ERR_ARGUMENT, "process ", comm->rank(), " gives ", bytes, " bytes, its place has ", room);
    copy(into + offsets[comm->rank()], send, bytes);
    if (comm->size() == 1) return;
    comm->board.share(
        bytes, [&](char *place) { std::memcpy(place, into + offsets[comm->rank()], bytes); },
        [&] {
          for (int rank = 0; rank < comm->size(); ++rank) {
            need_bytes(comm, rank, offsets[rank + 1] - offsets[rank]);
            if (rank != comm->rank()) copy(into + offsets[rank], comm->board.of(rank), comm->board.bytes_of(rank));
          }
        });
  });
}

op_status exscan(op_comm *comm, const int64_t *send, int64_t *recv, size_t count) {
  return entry(comm->host, [&] {
    const size_t bytes = count * sizeof(int64_t);
    const comm_common::Operations sums = comm_common::operations(OP_TYPE_LL);
    comm->board.share(
        bytes, [&](char *into) { std::memcpy(into, send, bytes); },
        [&] {
          std::fill(recv, recv + count, 0);
          for (int rank = 0; rank < comm->size(); ++rank) need_bytes(comm, rank, bytes);
          for (int rank = 0; rank < comm->rank(); ++rank) sums.of(OP_COMM_SUM)(&count, recv, comm->board.of(rank));
        });
  });
}

op_status allreduce(op_comm *comm, void *data, size_t count, op_type_id type, int32_t operation) {
  return entry(comm->host, [&] {
    const comm_common::Operations known = comm_common::operations(type);
    const op_comm_combine_fn combine = known.of(operation);
    if (comm->size() == 1 || count == 0) return;
    if (count * known.value_bytes <= combined_by_all)
      combine_all(comm, data, count * known.value_bytes, combine, &count);
    else
      combine_shares(comm, static_cast<char *>(data), count, known.value_bytes, combine);
  });
}

op_status allreduce_record(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context) {
  return entry(comm->host, [&] {
    if (comm->size() > 1 && bytes > 0) combine_all(comm, record, bytes, combine, context);
  });
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
