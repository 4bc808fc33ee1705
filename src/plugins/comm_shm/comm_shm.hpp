// Shared by the files of communicator "shm".
#pragma once

#include "board.hpp"
#include "plugins/comm_common/entry.hpp"

namespace op2::comm_shm {

using comm_common::entry;
using comm_common::HostMemory;

// The entries.
op_status open(const op_comm_params *params, op_comm **comm);
void close(op_comm *comm);
void abort_job(op_comm *comm, int code);
int claim_failure(op_comm *comm);
op_status barrier(op_comm *comm);
op_status bcast(op_comm *comm, void *data, size_t bytes, int32_t root);
op_status allgatherv(op_comm *comm, const void *send, size_t bytes, void *recv, const size_t *offsets);
op_status exscan(op_comm *comm, const int64_t *send, int64_t *recv, size_t count);
op_status allreduce(op_comm *comm, void *data, size_t count, op_type_id type, int32_t operation);
op_status allreduce_record(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context);
op_status sparse_exchange(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                          const void *send, op_comm_messages *received);
op_status post(op_comm *comm, int32_t rank, const void *data, size_t bytes);
op_status poll(op_comm *comm, op_comm_messages *mail);
op_status probe_space(op_comm *comm, op_space space, void *a, void *b, size_t bytes);
op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo);
op_status halo_start(op_comm *comm, op_comm_halo *halo);
op_status halo_wait(op_comm *comm, op_comm_halo *halo);
int halo_test(op_comm *comm, op_comm_halo *halo);
op_status halo_buffers(op_comm *comm, op_comm_halo *halo, void **send, const void **recv);
void halo_free(op_comm *comm, op_comm_halo *halo);

// Whether processors access this space as they access host memory.
inline bool reaches(op_space space) { return space == OP_SPACE_HOST || space == OP_SPACE_CUDA_PINNED; }

} // namespace op2::comm_shm

// One opened communicator.
struct op_comm_s {
  explicit op_comm_s(const op_host_v1 *its_host) : host(its_host), board(memory) {}
  int rank() const { return memory.rank(); }
  int size() const { return memory.size(); }

  const op_host_v1 *host;
  op2::comm_shm::Memory memory;
  op2::comm_shm::Board board;
};

// SPDX-License-Identifier: MIT
