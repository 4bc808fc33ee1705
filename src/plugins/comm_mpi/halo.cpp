// Messages between neighbours that are always the same: mailboxes inside a node, and to others persistent requests, one
// per neighbour and direction.
#include <algorithm>
#include <utility>

#include "device.hpp"
#include "node.hpp"

struct op_comm_halo_s {
  op2::comm_mpi::DeviceContext device;               // of the buffers
  std::unique_ptr<op2::comm_common::Mailboxes> node; // NULL: all messages are requests
  std::vector<MPI_Request> requests;                 // receives first
  std::vector<char *> send, recv;                    // places in the caller's buffers
  bool wants_tests = false;
  bool under_way = false;
  int error = MPI_SUCCESS; // of a test, for the wait to report
};

namespace op2::comm_mpi {

namespace {

constexpr size_t sent_at_once = 4000; // the least that any transport of today sends without asking, with its header

// Tags are used again after very many halos, by which time the first ones are gone.
int next_tag(op_comm *comm) {
  const int tag = tag_first_halo + comm->halos;
  comm->halos = tag == comm->last_tag ? 0 : comm->halos + 1;
  return tag;
}

void check_neighbours(const op_comm *comm, int32_t count, const int32_t *ranks, const char *what) {
  for (int32_t i = 0; i < count; ++i)
    if (ranks[i] < 0 || ranks[i] >= comm->size)
      fail(OP_ERR_ARGUMENT, what, " ", i, ": there is no process ", ranks[i], " of ", comm->size);
}

void check(const op_comm *comm, const op_comm_halo_params &params) {
  if (params.space != OP_SPACE_HOST && params.space != OP_SPACE_CUDA_PINNED &&
      !(params.space == OP_SPACE_CUDA && comm->devices))
    fail(OP_ERR_UNSUPPORTED, "messages from memory of kind ", params.space,
         "; plugin " OP2_COMM_NAME " sends from the host's memory (", OP_SPACE_HOST, ")",
         comm->devices ? " and that of CUDA devices only" : " only");
  check_neighbours(comm, params.nsend, params.send_rank, "message to send");
  check_neighbours(comm, params.nrecv, params.recv_rank, "message to receive");
}

// The others of the node must not wait for a process whose parameters are wrong.
void make_mailboxes(op_comm *comm, const op_comm_halo_params &params, op_comm_halo &halo) {
  try {
    check(comm, params);
  } catch (...) {
    node_mailboxes(comm, params, false);
    throw;
  }
  halo.node = node_mailboxes(comm, params, true);
}

void free_requests(op_comm_halo &halo) {
  for (MPI_Request &request : halo.requests)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void add_requests(op_comm *comm, const op_comm_halo_params &given, int tag, op_comm_halo &halo) {
  char *into = static_cast<char *>(given.recv_buffer);
  const char *from = static_cast<const char *>(given.send_buffer);
  for (int32_t i = 0; i < given.nrecv; ++i) {
    const Bytes whole(given.recv_offset[i + 1] - given.recv_offset[i]);
    if (whole.count == 0 || (halo.node && halo.node->receives(i))) continue;
    halo.wants_tests = halo.wants_tests || given.recv_offset[i + 1] - given.recv_offset[i] > sent_at_once;
    halo.requests.push_back(MPI_REQUEST_NULL);
    OP2_MPI(MPI_Recv_init, into + given.recv_offset[i], whole.count, whole.type, given.recv_rank[i], tag, comm->comm,
            &halo.requests.back());
  }
  for (int32_t i = 0; i < given.nsend; ++i) {
    const Bytes whole(given.send_offset[i + 1] - given.send_offset[i]);
    if (whole.count == 0 || (halo.node && halo.node->sends(i))) continue;
    halo.wants_tests = halo.wants_tests || given.send_offset[i + 1] - given.send_offset[i] > sent_at_once;
    halo.requests.push_back(MPI_REQUEST_NULL);
    OP2_MPI(MPI_Send_init, from + given.send_offset[i], whole.count, whole.type, given.send_rank[i], tag, comm->comm,
            &halo.requests.back());
  }
}

} // namespace

op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo) {
  return entry(comm->host, [&] {
    const int tag = next_tag(comm); // before anything can fail
    auto made = std::make_unique<op_comm_halo>();
    if (params->space == OP_SPACE_CUDA)
      made->device = DeviceContext(comm->host, params->nsend > 0 ? params->send_buffer : params->recv_buffer);
    const CurrentDevice current(made->device);
    make_mailboxes(comm, *params, *made);
    for (int32_t i = 0; i < params->nsend; ++i)
      made->send.push_back(const_cast<char *>(static_cast<const char *>(params->send_buffer)) + params->send_offset[i]);
    for (int32_t i = 0; i < params->nrecv; ++i)
      made->recv.push_back(static_cast<char *>(params->recv_buffer) + params->recv_offset[i]);
    try {
      add_requests(comm, *params, tag, *made);
    } catch (...) {
      free_requests(*made);
      throw;
    }
    *halo = made.release();
  });
}

op_status halo_start(op_comm *comm, op_comm_halo *halo) {
  return entry(comm->host, [&] {
    if (halo->under_way) fail(OP_ERR_STATE, "these messages are under way; wait for them before they start again");
    if (halo->requests.empty() && !halo->node) return;
    const CurrentDevice current(halo->device);
    if (!halo->requests.empty()) OP2_MPI(MPI_Startall, static_cast<int>(halo->requests.size()), halo->requests.data());
    if (halo->node) halo->node->start();
    halo->under_way = true;
    halo->error = MPI_SUCCESS;
  });
}

op_status halo_wait(op_comm *comm, op_comm_halo *halo) {
  return entry(comm->host, [&] {
    if (halo->error != MPI_SUCCESS) fail_call(std::exchange(halo->error, MPI_SUCCESS), "MPI_Testall");
    if (!halo->under_way) return;
    halo->under_way = false;
    const CurrentDevice current(halo->device);
    if (halo->node) halo->node->wait();
    OP2_MPI(MPI_Waitall, static_cast<int>(halo->requests.size()), halo->requests.data(), MPI_STATUSES_IGNORE);
  });
}

int halo_test(op_comm *, op_comm_halo *halo) {
  if (!halo->under_way) return 1;
  const CurrentDevice current(halo->device);
  const bool arrived = !halo->node || halo->node->arrived();
  int done = 0;
  halo->error = MPI_Testall(static_cast<int>(halo->requests.size()), halo->requests.data(), &done, MPI_STATUSES_IGNORE);
  if ((arrived && done) || halo->error != MPI_SUCCESS) halo->under_way = false;
  return halo->under_way ? 0 : 1;
}

// Short messages leave at once; longer ones are announced, and go when both sides have called MPI again.
int halo_wants_tests(op_comm *, op_comm_halo *halo) { return halo->wants_tests ? 1 : 0; }

op_status halo_buffers(op_comm *comm, op_comm_halo *halo, void **send, const void **recv) {
  return entry(comm->host, [&] {
    if (halo->under_way)
      fail(OP_ERR_STATE, "these messages are under way; wait for them before they are written again");
    std::copy(halo->send.begin(), halo->send.end(), send);
    std::copy(halo->recv.begin(), halo->recv.end(), recv);
    if (halo->node) halo->node->prepare(send, recv);
  });
}

// Messages under way, after a failure somewhere: nobody will wait for them, and the buffers may be gone soon.
void halo_free(op_comm *, op_comm_halo *halo) {
  const std::unique_ptr<op_comm_halo> mine(halo);
  if (!mine || finalised()) return;
  const CurrentDevice current(mine->device);
  if (mine->under_way)
    for (MPI_Request &request : mine->requests) MPI_Cancel(&request);
  free_requests(*mine);
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
