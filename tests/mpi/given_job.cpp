// given_job.cpp: a program that uses MPI itself and gives the library a part of its processes: `given_job halves` runs
// two jobs side by side, each with a mesh of its own; `given_job out` one without the last process, which meanwhile
// works with MPI; `given_job wrong` gives a communicator that cannot be used. Started with 3 processes or more.
#include <mpi.h>
#include <op2/op2.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int failed = 0;
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
      failed = 1;                                                              \
    }                                                                          \
  } while (0)

void count(int *left, int *right) {
  *left += 1;
  *right += 1;
}
void total(const int *n, int *sum) { *sum += *n; }

op_status start(MPI_Comm comm, const char *backend) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = backend;
  params.communicator_given = 1;
  params.communicator = MPI_Comm_c2f(comm);
  return op_init_with(&params);
}

// A ring of so many nodes: every edge is counted on both ends.
void ring(int nodes) {
  std::vector<int> ends;
  for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, (n + 1) % nodes});
  const op_set node_set = op_decl_set(nodes, "nodes"), edges = op_decl_set(nodes, "edges");
  const op_map edge_nodes = op_decl_map(edges, node_set, 2, ends.data(), "edge_nodes");
  const op_dat n = op_decl_dat(node_set, 1, "int", nullptr, "n");
  for (int round = 0; round < 10; ++round)
    op_par_loop(count, "count", edges, op_arg_dat(n, 0, edge_nodes, 1, "int", OP_INC),
                op_arg_dat(n, 1, edge_nodes, 1, "int", OP_INC));
  int sum = 0;
  op_par_loop(total, "total", node_set, op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&sum, 1, "int", OP_INC));
  CHECK(sum == 20 * nodes);
  CHECK(op_get_size(node_set) == nodes);
}

void run_on(MPI_Comm comm, int nodes) {
  int rank = -1, size = 0, mine = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int again = 0; again < 2; ++again) {
    CHECK(start(comm, "mpi+seq") == OP_OK);
    op_rank(&mine);
    CHECK(mine == rank);
    CHECK(op_comm_size() == size);
    CHECK(op_is_root() == (rank == 0));
    ring(nodes + again);
    CHECK(op_exit() == OP_OK);
  }
}

void expect_refusal(MPI_Comm comm, const char *backend, const char *words) {
  const op_status status = start(comm, backend);
  CHECK(status == OP_ERR_BACKEND);
  if (!std::strstr(op_last_error(), words)) {
    std::fprintf(stderr, "it says: %s\n", op_last_error());
    failed = 1;
  }
  CHECK(!op_is_initialised());
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *const what = argc > 1 ? argv[1] : "halves";
  if (std::strcmp(what, "halves") == 0) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    run_on(half, rank % 2 ? 300 : 170);
    MPI_Comm_free(&half);
  } else if (std::strcmp(what, "out") == 0) {
    MPI_Comm some = MPI_COMM_NULL;
    const bool in = rank + 1 < size;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, rank, &some);
    if (in) {
      run_on(some, 250);
      MPI_Comm_free(&some);
    }
    int here = 1, all = 0; // the program's own messages go on
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == size);
  } else {
    op_set_error_handler(op_error_return, nullptr);
    expect_refusal(MPI_COMM_WORLD, "seq", "the program gives a communicator, but OP2_BACKEND='seq'");
    expect_refusal(MPI_COMM_WORLD, "self+seq", "lets each process run by itself");
    expect_refusal(MPI_COMM_NULL, "mpi+seq", "the given communicator");
    op_init_params old = OP_INIT_PARAMS; // of a program before there was a communicator
    old.size = offsetof(op_init_params, communicator);
    old.backend = "self+seq";
    CHECK(op_init_with(&old) == OP_OK);
    CHECK(op_exit() == OP_OK);
    old.communicator_given = 1;
    CHECK(op_init_with(&old) == OP_ERR_ARGUMENT);
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}

// SPDX-License-Identifier: MIT
