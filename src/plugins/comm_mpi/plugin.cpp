// Communicator "mpi": many processes, started by mpirun or the like. Built with MPICH beside another MPI its name is
// "mpich".
#include "comm_mpi.hpp"

namespace op2::comm_mpi {

namespace {

int32_t rank(op_comm *comm) { return comm->rank; }
int32_t size_of(op_comm *comm) { return comm->size; }
int32_t node_rank(op_comm *comm) { return comm->node_rank; }
int32_t node_size(op_comm *comm) { return comm->node_size; }

op_status caps(op_comm *comm, op_comm_caps *caps) {
  caps->spaces[0] = OP_SPACE_HOST;
  caps->spaces[1] = OP_SPACE_CUDA_PINNED; // the host's, too
  if (comm->devices) caps->spaces[2] = OP_SPACE_CUDA;
  caps->thread_multiple = comm->thread_level == MPI_THREAD_MULTIPLE;
  return OP_OK;
}

op_status native(op_comm *comm, int32_t kind, int64_t *handle) {
  if (kind != 0)
    return comm->host->fail(comm->host, OP_ERR_UNSUPPORTED, "only Fortran handles (kind 0) of the communicator");
  *handle = MPI_Comm_c2f(comm->comm);
  return OP_OK;
}

// MPI is not initialised for this. A launcher of another MPI counts as well: the failure of open says what is wrong,
// whereas "self" would make every process compute everything. Without a launcher "self" (10) is the better one process.
int score(const op_host_v1 *host) {
  if (const std::string why = obstacle(); !why.empty()) {
    host->fail(host, OP_ERR_BACKEND, why.c_str());
    return 0;
  }
  if (initialised()) return 50;
  switch (launch().by) {
    case Launch::By::own:
      return 50;
    case Launch::By::other:
      return 40;
    default:
      return 5;
  }
}

constexpr op_comm_ops_v1 ops = [] {
  op_comm_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.abort = abort_job;
  t.rank = rank;
  t.size_of = size_of;
  t.node_rank = node_rank;
  t.node_size = node_size;
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
  t.native = native;
  t.sparse_exchange = sparse_exchange;
  t.allreduce_record = allreduce_record;
  t.claim_failure = claim_failure;
  t.halo_buffers = halo_buffers;
  t.halo_wants_tests = halo_wants_tests;
  t.post = post;
  t.poll = poll;
  return t;
}();

#define TEXT_OF(x) #x
#define NUMBER(x) TEXT_OF(x)
#ifdef OMPI_MAJOR_VERSION
#define BUILT_WITH \
  "Open MPI " NUMBER(OMPI_MAJOR_VERSION) "." NUMBER(OMPI_MINOR_VERSION) "." NUMBER(OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define BUILT_WITH "MPICH " MPICH_VERSION
#else
#define BUILT_WITH "MPI " NUMBER(MPI_VERSION) "." NUMBER(MPI_SUBVERSION)
#endif
constexpr op_plugin_v1 plugin = {
    sizeof(op_plugin_v1), OP2_PLUGIN_ABI, OP2_PLUGIN_API, OP_PLUGIN_COMM, 0,   OP2_COMM_NAME,
    "many processes",     BUILT_WITH,     nullptr,        score,          &ops};

} // namespace

} // namespace op2::comm_mpi

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::comm_mpi::plugin; }

// SPDX-License-Identifier: MIT
