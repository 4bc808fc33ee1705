// Shared by the files of communicator "mpi". Only this plugin uses MPI; none of its types cross the entry table.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "op2/plugin/comm.h"
#include "plugins/comm_common/entry.hpp"

#ifdef OMPI_MAJOR_VERSION
#if OMPI_MAJOR_VERSION < 3
#error "Open MPI before version 3 cannot be used from a plugin (its own components do not find their library)"
#endif
#endif

#ifndef OP2_COMM_NAME
#define OP2_COMM_NAME "mpi"
#endif

namespace op2::comm_mpi {

using comm_common::entry;
using comm_common::fail;
using comm_common::HostMemory;

// Checks the result of a call of MPI.
[[noreturn]] void fail_call(int error, const char *name);
inline void call(int error, const char *name) {
  if (error != MPI_SUCCESS) fail_call(error, name);
}
#define OP2_MPI(name, ...) ::op2::comm_mpi::call(name(__VA_ARGS__), #name)

// Tags inside this plugin's communicator. Each halo has its own, from tag_first_halo on.
constexpr int tag_fold = 0, tag_back = 1, tag_sparse = 3 /* and 4 */, tag_nobody = 5, tag_probe = 6, tag_post = 7,
              tag_first_halo = 16;

// MPI counts in int. A message of any number of bytes is `count` times `type`.
class Bytes {
 public:
  explicit Bytes(size_t bytes);
  ~Bytes();
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

// A message of post() and its bytes, until it has left.
struct Posted {
  MPI_Request request;
  HostMemory<char> data;
};

void send_bytes(op_comm *comm, const void *data, size_t bytes, int to, int tag);
void receive_bytes(op_comm *comm, void *data, size_t bytes, int from, int tag);

// "Open MPI v4.1.4": the library that this process calls.
std::string library_version();
// Why this plugin cannot work in this process: its calls reach another MPI, or MPI is finalised. "" if it can.
std::string obstacle();
bool initialised();
bool finalised();

// The launcher of this process, from the environment.
struct Launch {
  enum class By { nobody, own, other };
  By by = By::nobody;
  long processes = 0; // as far as known
  long rank = 0;      // as far as known
  std::string seen;   // "OMPI_COMM_WORLD_SIZE=4, PMIX_RANK=2"
};
Launch launch();

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
op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo);
op_status halo_start(op_comm *comm, op_comm_halo *halo);
op_status halo_wait(op_comm *comm, op_comm_halo *halo);
op_status post(op_comm *comm, int32_t rank, const void *data, size_t bytes);
op_status poll(op_comm *comm, op_comm_messages *mail);
void give_up_posts(op_comm *comm); // those that have not left, before the communicator closes
op_status probe_space(op_comm *comm, op_space space, void *a, void *b, size_t bytes);
int halo_test(op_comm *comm, op_comm_halo *halo);
int halo_wants_tests(op_comm *comm, op_comm_halo *halo);
op_status halo_buffers(op_comm *comm, op_comm_halo *halo, void **send, const void **recv);
void halo_free(op_comm *comm, op_comm_halo *halo);

} // namespace op2::comm_mpi

// One opened communicator: a duplicate, so that it receives no messages of the program.
struct op_comm_s {
  const op_host_v1 *host = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm node = MPI_COMM_NULL; // the processes of `comm` that share memory with this one
  int rank = 0, size = 1, node_rank = 0, node_size = 1;
  int world_size = 1;
  bool first_node = true; // rank 0 is on it
  int thread_level = MPI_THREAD_SINGLE;
  int last_tag = 32767;
  int halos = 0;              // made so far, the same number in every process
  bool odd_exchange = false;  // successive sparse exchanges have different tags
  bool alike = false;         // all processors are of one kind: equal calculations give equal bits
  bool devices = false;       // messages may lie in memory of CUDA devices
  bool shares_memory = false; // the processes of the node exchange in shared memory; equal on all of them
  std::string segment_prefix; // of the names of segments
  int segments = 0;           // made so far, the same number in every process
  MPI_Win window = MPI_WIN_NULL;
  int own_claim = 0, *claim = &own_claim;    // 0 until some process of the node has claimed the failure
  std::vector<op2::comm_mpi::Posted> posted; // on their way
  op2::comm_mpi::HostMemory<void> scratch;
  size_t scratch_bytes = 0;
};

// SPDX-License-Identifier: MIT
