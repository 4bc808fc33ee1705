// Communicator "self": one process, always there. Collectives are copies.
#include <cstdlib>
#include <cstring>
#include <new>

#include "op2/plugin/comm.h"
#include "plugins/builtin.hpp"

struct op_comm_s {
  const op_host_v1 *host;
};

// A message to oneself; with one process there are no neighbours, but the entries do what they promise.
struct op_comm_halo_s {
  op_comm_halo_params params;
};

namespace op2::comm_self {

namespace {

op_status open(const op_comm_params *params, op_comm **comm) {
  *comm = new (std::nothrow) op_comm_s{params->host};
  return *comm ? OP_OK : OP_ERR_MEMORY;
}
void close(op_comm *comm) { delete comm; }
// One process: whoever asks for the end ends it himself.
void abort_job(op_comm *, int) {}
int32_t zero(op_comm *) { return 0; }
int32_t one(op_comm *) { return 1; }

op_status caps(op_comm *, op_comm_caps *caps) {
  caps->spaces[0] = OP_SPACE_HOST;
  caps->thread_multiple = 1;
  return OP_OK;
}

op_status barrier(op_comm *) { return OP_OK; }
op_status bcast(op_comm *, void *, size_t, int32_t) { return OP_OK; }
op_status allreduce(op_comm *, void *, size_t, op_type_id, int32_t) { return OP_OK; }

op_status allgatherv(op_comm *, const void *send, size_t bytes, void *recv, const size_t *offsets) {
  if (bytes > 0) std::memcpy(static_cast<char *>(recv) + offsets[0], send, bytes);
  return OP_OK;
}

op_status exscan(op_comm *, const int64_t *, int64_t *recv, size_t count) {
  for (size_t i = 0; i < count; ++i) recv[i] = 0;
  return OP_OK;
}

// A message to oneself comes back as a copy.
op_status sparse_exchange(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                          const void *send, op_comm_messages *received) {
  const op_host_v1 *host = comm->host;
  if (nsend > 1 || (nsend == 1 && send_rank[0] != 0))
    return host->fail(host, OP_ERR_ARGUMENT, "a single process can send to itself only");
  const size_t bytes = nsend == 1 ? send_offset[1] - send_offset[0] : 0;
  received->count = nsend;
  received->rank = static_cast<int32_t *>(host->alloc(sizeof(int32_t), alignof(int32_t)));
  received->offset = static_cast<size_t *>(host->alloc(2 * sizeof(size_t), alignof(size_t)));
  received->data = host->alloc(bytes > 0 ? bytes : 1, 64);
  if (!received->rank || !received->offset || !received->data) {
    host->free(received->rank);
    host->free(received->offset);
    host->free(received->data);
    *received = {};
    return OP_ERR_MEMORY;
  }
  received->rank[0] = 0;
  received->offset[0] = 0;
  received->offset[1] = bytes;
  if (bytes > 0) std::memcpy(received->data, static_cast<const char *>(send) + send_offset[0], bytes);
  return OP_OK;
}

op_status allreduce_record(op_comm *, void *, size_t, op_comm_combine_fn, void *) { return OP_OK; }

op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo) {
  if (params->nsend != params->nrecv || params->nsend > 1 || (params->nsend == 1 && params->send_rank[0] != 0))
    return comm->host->fail(comm->host, OP_ERR_ARGUMENT, "the only neighbour of a single process is itself");
  *halo = new (std::nothrow) op_comm_halo_s{*params};
  return *halo ? OP_OK : OP_ERR_MEMORY;
}

op_status halo_start(op_comm *, op_comm_halo *halo) {
  const op_comm_halo_params &p = halo->params;
  if (p.nsend == 1 && p.send_offset[1] > p.send_offset[0])
    std::memcpy(static_cast<char *>(p.recv_buffer) + p.recv_offset[0],
                static_cast<const char *>(p.send_buffer) + p.send_offset[0], p.send_offset[1] - p.send_offset[0]);
  return OP_OK;
}

op_status halo_wait(op_comm *, op_comm_halo *) { return OP_OK; }
void halo_free(op_comm *, op_comm_halo *halo) { delete halo; }
int score(const op_host_v1 *) { return 10; }

constexpr op_comm_ops_v1 ops = [] {
  op_comm_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.abort = abort_job;
  t.rank = zero;
  t.size_of = one;
  t.node_rank = zero;
  t.node_size = one;
  t.caps = caps;
  t.barrier = barrier;
  t.bcast = bcast;
  t.allreduce = allreduce;
  t.allgatherv = allgatherv;
  t.exscan = exscan;
  t.halo_create = halo_create;
  t.halo_start = halo_start;
  t.halo_wait = halo_wait;
  t.halo_free = halo_free;
  t.sparse_exchange = sparse_exchange;
  t.allreduce_record = allreduce_record;
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_COMM,
                                 0,
                                 "self",
                                 "one process",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

} // namespace op2::comm_self

const op_plugin_v1 *op2::core::comm_self_plugin() { return &op2::comm_self::plugin; }

// SPDX-License-Identifier: MIT
