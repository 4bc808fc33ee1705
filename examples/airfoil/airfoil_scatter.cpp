// airfoil_scatter.cpp: the airfoil solver whose process 0 reads the mesh and scatters it, as OP2's airfoil_plain does.
//
//   mpirun -n 4 airfoil_scatter new_grid.dat
//
// The program uses MPI itself, beside the library: it starts and ends it, and sends each process its block of every
// array. Only process 0 needs the file; it needs memory for the whole mesh, which airfoil_mpi.cpp does not.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <vector>

#include <op2/partition.h>
#include "airfoil_solver.hpp"
#include "mesh_part.hpp"

namespace {

// MPI from the first line of main() to the last, as the library needs it when it shares the program's.
class Mpi {
 public:
  Mpi(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  ~Mpi() { MPI_Finalize(); }
  Mpi(const Mpi &) = delete;
  Mpi &operator=(const Mpi &) = delete;

  int rank = 0, size = 1;
};

template <class T>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<double>() {
  return MPI_DOUBLE;
}
template <>
MPI_Datatype type_of<int>() {
  return MPI_INT;
}

// Sends process r `counts[r]` rows of `dim` values, one process's after the other's, and returns this process's.
// all, counts: on process 0 only. Counting in rows, not in values, lets a mesh of 2^31 cells through.
template <class T>
std::vector<T> scatter(const T *all, const std::vector<int> &counts, int dim, int own) {
  std::vector<int> begins;
  int begin = 0;
  for (const int count : counts) {
    begins.push_back(begin);
    begin += count;
  }
  std::vector<T> out(static_cast<std::size_t>(own) * static_cast<std::size_t>(dim));
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(dim, type_of<T>(), &row);
  MPI_Type_commit(&row);
  MPI_Scatterv(all, counts.data(), begins.data(), row, out.data(), own, row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  return out;
}

// The equal blocks that the mesh of process 0 is cut into; `whole` is empty on the others.
MeshPart scatter_mesh(const airfoil_mesh &whole, const Mpi &mpi) {
  MeshPart part;
  std::array<int, 4> all = {whole.nnode, whole.ncell, whole.nedge, whole.nbedge};
  MPI_Bcast(all.data(), 4, MPI_INT, 0, MPI_COMM_WORLD);
  part.nnode = all[0];
  part.ncell = all[1];
  part.nedge = all[2];
  part.nbedge = all[3];

  std::vector<int> nodes, cells, edges, bedges; // how many each process gets
  for (int r = 0; r < mpi.size && mpi.rank == 0; ++r) {
    const airfoil_mesh block = airfoil_mesh_block(&whole, r, mpi.size);
    nodes.push_back(block.nnode);
    cells.push_back(block.ncell);
    edges.push_back(block.nedge);
    bedges.push_back(block.nbedge);
  }
  std::array<int, 4> own{};
  const std::array counts = {&nodes, &cells, &edges, &bedges};
  for (std::size_t s = 0; s < own.size(); ++s)
    MPI_Scatter(counts[s]->data(), 1, MPI_INT, &own[s], 1, MPI_INT, 0, MPI_COMM_WORLD);

  part.x = scatter(whole.x, nodes, 2, own[0]);
  part.cell_nodes = scatter(whole.cell_nodes, cells, 4, own[1]);
  part.edge_nodes = scatter(whole.edge_nodes, edges, 2, own[2]);
  part.edge_cells = scatter(whole.edge_cells, edges, 2, own[2]);
  part.bedge_nodes = scatter(whole.bedge_nodes, bedges, 2, own[3]);
  part.bedge_cell = scatter(whole.bedge_cell, bedges, 1, own[3]);
  part.bound = scatter(whole.bound, bedges, 1, own[3]);
  return part;
}

int read_and_solve(const airfoil_options &options, const Mpi &mpi) {
  airfoil_mesh whole = {};
  int failed = mpi.rank == 0 && airfoil_read(&options, &whole) != 0 ? 1 : 0;
  MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD); // all end when the file cannot be read
  if (failed != 0) return AIRFOIL_ERROR;
  MeshPart part = scatter_mesh(whole, mpi);
  if (mpi.rank == 0) airfoil_mesh_free(&whole);

  declare_constants();
  Airfoil airfoil(part.rows());
  const int ncell = part.ncell;
  part = MeshPart(); // the library has its own copy
  op_partition("AUTO", "", airfoil.edges, airfoil.edge_cells, airfoil.x);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  return solve(airfoil, options, ncell);
}

// The library must run on the processes that the program scatters to.
bool same_job(const Mpi &mpi) {
  int rank = 0;
  op_rank(&rank);
  if (op_comm_size() == mpi.size && rank == mpi.rank) return true;
  if (mpi.rank == 0)
    std::fprintf(stderr, "airfoil_scatter: MPI has %d processes, back end %s has %d: use OP2_BACKEND=mpi+auto\n",
                 mpi.size, op_backend(), op_comm_size());
  return false;
}

} // namespace

int main(int argc, char **argv) {
  int exit_code = AIRFOIL_ERROR;
  const Mpi mpi(&argc, &argv);
  try {
    // What a process declares is the block that it got.
    char local[] = "OP2_DECLARE=local";
    std::vector<char *> arguments(argv, argv + argc);
    arguments.push_back(local);
    op2::context context(static_cast<int>(arguments.size()), arguments.data());
    airfoil_options options;
    if (same_job(mpi) && airfoil_parse(argc, argv, &options, &exit_code)) exit_code = read_and_solve(options, mpi);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "airfoil_scatter: %s\n", error.what());
    exit_code = AIRFOIL_ERROR;
  }
  return exit_code;
}

// SPDX-License-Identifier: MIT
