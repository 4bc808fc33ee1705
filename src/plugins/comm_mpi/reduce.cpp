// Reductions in a fixed shape: a binomial tree whose branches are runs of ranks in their order, up to rank 0, and the
// result back on the same way. So every process has the bits that rank 0 has, whatever the other processors are like,
// and the order of the operands depends on the number of processes alone.
//
// On processors of one kind, and as many as a power of two, each process combines what its half of the tree needs by
// itself (recursive doubling): the same operands in the same order, so the same bits, after half as many messages.
#include <algorithm>
#include <cstring>

#include "comm_mpi.hpp"
#include "plugins/comm_common/values.hpp"

namespace op2::comm_mpi {

namespace {

constexpr size_t alignment = 64, piece_bytes = size_t{1} << 20;
constexpr size_t doubled_bytes = 4096; // of more than that each process would send and combine too much

void *scratch(op_comm *comm, size_t bytes) {
  if (comm->scratch_bytes < bytes) {
    const size_t enough = std::max(bytes, size_t{4096});
    comm->scratch_bytes = 0;
    comm->scratch = {};
    comm->scratch = {comm->host->alloc(enough, alignment), {comm->host}};
    if (!comm->scratch) fail(OP_ERR_MEMORY, "no memory for a record of ", bytes, " bytes");
    comm->scratch_bytes = enough;
  }
  return comm->scratch.get();
}

void double_up(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context) {
  void *const other = scratch(comm, bytes);
  const Bytes whole(bytes);
  for (int step = 1; step < comm->size; step *= 2) {
    const int partner = comm->rank ^ step;
    OP2_MPI(MPI_Sendrecv, record, whole.count, whole.type, partner, tag_fold, other, whole.count, whole.type, partner,
            tag_fold, comm->comm, MPI_STATUS_IGNORE);
    if (partner < comm->rank) { // its ranks come first
      combine(context, other, record);
      std::memcpy(record, other, bytes);
    } else {
      combine(context, record, other);
    }
  }
}

void fold(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context) {
  if (bytes == 0 || comm->size == 1) return;
  if (comm->alike && (comm->size & (comm->size - 1)) == 0 && bytes <= doubled_bytes)
    return double_up(comm, record, bytes, combine, context);
  void *later = scratch(comm, bytes);
  const int rank = comm->rank, size = comm->size;
  int step = 1; // this process has the records of `step` ranks from its own on
  for (; step < size && !(rank & step); step *= 2) {
    if (rank + step >= size) continue;
    receive_bytes(comm, later, bytes, rank + step, tag_fold);
    combine(context, record, later);
  }
  if (rank > 0) {
    send_bytes(comm, record, bytes, rank - step, tag_fold);
    receive_bytes(comm, record, bytes, rank - step, tag_back);
  }
  for (step /= 2; step > 0; step /= 2)
    if (rank + step < size) send_bytes(comm, record, bytes, rank + step, tag_back);
}

} // namespace

op_status allreduce(op_comm *comm, void *data, size_t count, op_type_id type, int32_t operation) {
  return entry(comm->host, [&] {
    if (finalised()) fail(OP_ERR_STATE, "MPI has been finalised");
    const comm_common::Operations known = comm_common::operations(type);
    const op_comm_combine_fn combine = known.of(operation);
    const size_t most = piece_bytes / known.value_bytes; // values are independent, so long arrays go in pieces
    for (size_t done = 0; done < count; done += most) {
      size_t piece = std::min(most, count - done);
      fold(comm, static_cast<char *>(data) + done * known.value_bytes, piece * known.value_bytes, combine, &piece);
    }
  });
}

op_status allreduce_record(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context) {
  return entry(comm->host, [&] { fold(comm, record, bytes, combine, context); });
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
