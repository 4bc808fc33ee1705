// Communicator "shm": processes of one machine that op2_launch has started, through shared memory and nothing else.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "comm_shm.hpp"

namespace op2::comm_shm {

namespace {

int32_t rank(op_comm *comm) { return comm->rank(); }
int32_t size_of(op_comm *comm) { return comm->size(); }

op_status caps(op_comm *, op_comm_caps *caps) {
  caps->spaces[0] = OP_SPACE_HOST;
  caps->spaces[1] = OP_SPACE_CUDA_PINNED;
  caps->thread_multiple = 0;
  return OP_OK;
}

// Without the launcher it is one process, and `self` (10) the better one. With it no MPI library that is initialised or
// would be knows of the others.
int score(const op_host_v1 *) { return std::getenv(size_variable) ? 60 : 5; }

constexpr op_comm_ops_v1 ops = [] {
  op_comm_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.abort = abort_job;
  t.rank = rank;
  t.size_of = size_of;
  t.node_rank = rank;
  t.node_size = size_of;
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
  t.halo_test = halo_test;
  t.probe_space = probe_space;
  t.sparse_exchange = sparse_exchange;
  t.allreduce_record = allreduce_record;
  t.claim_failure = claim_failure;
  t.halo_buffers = halo_buffers;
  t.post = post;
  t.poll = poll;
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_COMM,
                                 0,
                                 "shm",
                                 "processes of one machine, started by op2_launch",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

// A pattern from `a` through shared memory to `b`.
op_status probe_space(op_comm *comm, op_space space, void *a, void *b, size_t bytes) {
  return entry(comm->host, [&] {
    if (!reaches(space)) fail(OP_ERR_UNSUPPORTED, "plugin shm does not reach memory of kind ", space);
    const char *const from = static_cast<const char *>(a);
    char *const into = static_cast<char *>(b);
    Piece between = comm->memory.make(std::max(bytes, size_t{1}));
    if (!between.data()) fail(OP_ERR_MEMORY, "no shared memory for ", bytes, " bytes");
    std::copy(from, from + bytes, between.data());
    std::copy(between.data(), between.data() + bytes, into);
    comm->memory.give_back(between);
  });
}

} // namespace op2::comm_shm

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::comm_shm::plugin; }

// SPDX-License-Identifier: MIT
