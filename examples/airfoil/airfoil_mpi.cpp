// airfoil_mpi.cpp: the airfoil solver for large meshes: no process ever has all of the mesh, nor reads all of its file.
//
//   mpirun -n 4 airfoil_mpi new_grid.dat
//
// It is a program for one process, too, and does not call MPI itself.
#include <cstdio>
#include <exception>
#include <vector>

#include <op2/partition.h>
#include "airfoil_solver.hpp"
#include "mesh_part.hpp"

namespace {

int read_and_solve(const airfoil_options &options) {
  MeshPart part = read_mesh_part(options.mesh);
  op_printf("airfoil on %s with %s, %d processes: %d nodes, %d cells, %d edges, %d boundary edges\n", options.mesh,
            op_backend(), op_comm_size(), part.nnode, part.ncell, part.nedge, part.nbedge);
  declare_constants();
  Airfoil airfoil(part.rows());
  const int ncell = part.ncell;
  part = MeshPart(); // the library has its own copy
  op_partition("PTSCOTCH", "KWAY", airfoil.edges, airfoil.edge_cells, airfoil.x);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  return solve(airfoil, options, ncell);
}

} // namespace

int main(int argc, char **argv) {
  int exit_code = AIRFOIL_ERROR;
  try {
    // Each process declares its own part, whatever the environment says.
    char local[] = "OP2_DECLARE=local";
    std::vector<char *> arguments(argv, argv + argc);
    arguments.push_back(local);
    op2::context context(static_cast<int>(arguments.size()), arguments.data());
    airfoil_options options;
    if (airfoil_parse(argc, argv, &options, &exit_code)) exit_code = read_and_solve(options);
  } catch (const std::exception &error) {
    if (*error.what() != '\0') std::fprintf(stderr, "airfoil_mpi: %s\n", error.what());
    exit_code = AIRFOIL_ERROR;
  }
  return exit_code;
}

// SPDX-License-Identifier: MIT
