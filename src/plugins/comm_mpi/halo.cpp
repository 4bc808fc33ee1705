// Messages between neighbours that are always the same: persistent requests, one per neighbour and direction.
#include <utility>

#include "comm_mpi.hpp"

struct op_comm_halo_s {
  std::vector<MPI_Request> requests; // receives first
  bool under_way = false;
  int error = MPI_SUCCESS; // of a test, for the wait to report
};

namespace op2::comm_mpi {

namespace {

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

void free_requests(op_comm_halo &halo) {
  for (MPI_Request &request : halo.requests)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void add_requests(op_comm *comm, const op_comm_halo_params &given, int tag, op_comm_halo &halo) {
  char *into = static_cast<char *>(given.recv_buffer);
  const char *from = static_cast<const char *>(given.send_buffer);
  for (int32_t i = 0; i < given.nrecv; ++i) {
    const Bytes whole(given.recv_offset[i + 1] - given.recv_offset[i]);
    if (whole.count == 0) continue;
    halo.requests.push_back(MPI_REQUEST_NULL);
    OP2_MPI(MPI_Recv_init, into + given.recv_offset[i], whole.count, whole.type, given.recv_rank[i], tag, comm->comm,
            &halo.requests.back());
  }
  for (int32_t i = 0; i < given.nsend; ++i) {
    const Bytes whole(given.send_offset[i + 1] - given.send_offset[i]);
    if (whole.count == 0) continue;
    halo.requests.push_back(MPI_REQUEST_NULL);
    OP2_MPI(MPI_Send_init, from + given.send_offset[i], whole.count, whole.type, given.send_rank[i], tag, comm->comm,
            &halo.requests.back());
  }
}

} // namespace

op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo) {
  return entry(comm->host, [&] {
    const int tag = next_tag(comm); // before anything can fail
    if (params->space != OP_SPACE_HOST)
      fail(OP_ERR_UNSUPPORTED, "messages from memory of kind ", params->space,
           "; plugin " OP2_COMM_NAME " sends from the host's memory (", OP_SPACE_HOST, ") only");
    check_neighbours(comm, params->nsend, params->send_rank, "message to send");
    check_neighbours(comm, params->nrecv, params->recv_rank, "message to receive");
    auto made = std::make_unique<op_comm_halo>();
    try {
      add_requests(comm, *params, tag, *made);
    } catch (...) {
      free_requests(*made);
      throw;
    }
    *halo = made.release();
  });
}

op_status halo_start(op_comm *comm, op_comm_halo *halo, const op_event *, int32_t) {
  return entry(comm->host, [&] {
    if (halo->under_way) fail(OP_ERR_STATE, "these messages are under way; wait for them before they start again");
    if (halo->requests.empty()) return;
    OP2_MPI(MPI_Startall, static_cast<int>(halo->requests.size()), halo->requests.data());
    halo->under_way = true;
    halo->error = MPI_SUCCESS;
  });
}

op_status halo_wait(op_comm *comm, op_comm_halo *halo) {
  return entry(comm->host, [&] {
    if (halo->error != MPI_SUCCESS) fail_call(std::exchange(halo->error, MPI_SUCCESS), "MPI_Testall");
    if (!halo->under_way) return;
    halo->under_way = false;
    OP2_MPI(MPI_Waitall, static_cast<int>(halo->requests.size()), halo->requests.data(), MPI_STATUSES_IGNORE);
  });
}

int halo_test(op_comm *, op_comm_halo *halo) {
  if (!halo->under_way) return 1;
  int done = 0;
  halo->error = MPI_Testall(static_cast<int>(halo->requests.size()), halo->requests.data(), &done, MPI_STATUSES_IGNORE);
  if (done || halo->error != MPI_SUCCESS) halo->under_way = false;
  return halo->under_way ? 0 : 1;
}

// Messages under way, after a failure somewhere: nobody will wait for them, and the buffers may be gone soon.
void halo_free(op_comm *, op_comm_halo *halo) {
  const std::unique_ptr<op_comm_halo> mine(halo);
  if (!mine || finalised()) return;
  if (mine->under_way)
    for (MPI_Request &request : mine->requests) MPI_Cancel(&request);
  free_requests(*mine);
}

} // namespace op2::comm_mpi
