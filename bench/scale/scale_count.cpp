// scale_count.cpp: see scale_count.hpp. Stands between the communicator mpi and MPI by the profiling interface: these
// functions hide those of the same names and call the others, which is why the program exports them.
#include "scale/scale_count.hpp"

#include <mpi.h>

#include <map>

namespace {

struct Counted {
  std::map<MPI_Request, std::int64_t> sends; // bytes of each prepared message
  SentSoFar sent;
};
Counted &counted() {
  static Counted all;
  return all;
}

void count(MPI_Request request) {
  const auto found = counted().sends.find(request);
  if (found == counted().sends.end()) return;
  ++counted().sent.messages;
  counted().sent.bytes += found->second;
}

} // namespace

SentSoFar sent_so_far() { return counted().sent; }

extern "C" {

int MPI_Send_init(const void *buffer, int values, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  const int status = PMPI_Send_init(buffer, values, type, rank, tag, comm, request);
  int bytes = 0;
  if (status == MPI_SUCCESS && PMPI_Type_size(type, &bytes) == MPI_SUCCESS)
    counted().sends[*request] = std::int64_t{values} * bytes;
  return status;
}

int MPI_Request_free(MPI_Request *request) {
  counted().sends.erase(*request);
  return PMPI_Request_free(request);
}

int MPI_Start(MPI_Request *request) {
  count(*request);
  return PMPI_Start(request);
}

int MPI_Startall(int requests, MPI_Request request[]) {
  for (int i = 0; i < requests; ++i) count(request[i]);
  return PMPI_Startall(requests, request);
}
}

// SPDX-License-Identifier: MIT
