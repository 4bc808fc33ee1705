// Calls of MPI: their failures as texts, and messages longer than an int can count.
#include <limits>

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

void fail_call(int error, const char *name) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, kind = error;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) text[0] = '\0';
  MPI_Error_class(error, &kind);
  fail(kind == MPI_ERR_NO_MEM ? OP_ERR_MEMORY : OP_ERR_PLUGIN, name, ": ",
       text[0] ? text : "error " + std::to_string(error));
}

namespace {

constexpr size_t block_bytes = size_t{1} << 30;

// Whole blocks and what is left over, as one type.
MPI_Datatype long_type(size_t bytes) {
  const size_t blocks = bytes / block_bytes, rest = bytes % block_bytes;
  if (blocks > static_cast<size_t>(std::numeric_limits<int>::max()))
    fail(OP_ERR_UNSUPPORTED, "a message of ", bytes, " bytes");
  MPI_Datatype block = MPI_DATATYPE_NULL, out = MPI_DATATYPE_NULL;
  OP2_MPI(MPI_Type_contiguous, static_cast<int>(block_bytes), MPI_BYTE, &block);
  const int lengths[2] = {static_cast<int>(blocks), static_cast<int>(rest)};
  const MPI_Aint starts[2] = {0, static_cast<MPI_Aint>(blocks * block_bytes)};
  const MPI_Datatype types[2] = {block, MPI_BYTE};
  OP2_MPI(MPI_Type_create_struct, 2, lengths, starts, types, &out);
  OP2_MPI(MPI_Type_free, &block);
  OP2_MPI(MPI_Type_commit, &out);
  return out;
}

} // namespace

Bytes::Bytes(size_t bytes) {
  if (bytes <= static_cast<size_t>(std::numeric_limits<int>::max())) {
    count = static_cast<int>(bytes);
  } else {
    count = 1;
    type = long_type(bytes);
  }
}

// Messages under way keep the type alive.
Bytes::~Bytes() {
  if (type != MPI_BYTE) MPI_Type_free(&type);
}

void send_bytes(op_comm *comm, const void *data, size_t bytes, int to, int tag) {
  const Bytes whole(bytes);
  OP2_MPI(MPI_Send, data, whole.count, whole.type, to, tag, comm->comm);
}

void receive_bytes(op_comm *comm, void *data, size_t bytes, int from, int tag) {
  const Bytes whole(bytes);
  OP2_MPI(MPI_Recv, data, whole.count, whole.type, from, tag, comm->comm, MPI_STATUS_IGNORE);
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
