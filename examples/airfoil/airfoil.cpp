// airfoil.cpp: the airfoil solver in C++. Of a text mesh every process reads the whole and declares a block; of an HDF5
// file (*.h5) the library reads each process's part.
#include <cstdio>
#include <string_view>

#include <op2/partition.h>
#include "airfoil_solver.hpp"

namespace {

bool is_hdf5(std::string_view file) { return file.size() > 3 && file.substr(file.size() - 3) == ".h5"; }

int divide_and_solve(Airfoil &airfoil, const airfoil_options &options, int ncell) {
  op_partition("AUTO", "", airfoil.edges, airfoil.edge_cells, airfoil.x);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  return solve(airfoil, options, ncell);
}

int read_and_solve(const airfoil_options &options) {
  if (is_hdf5(options.mesh)) {
    declare_constants();
    Airfoil airfoil(options.mesh);
    const int ncell = static_cast<int>(airfoil.cells.global_size());
    op_printf("%s: %d cells\n", options.mesh, ncell);
    return divide_and_solve(airfoil, options, ncell);
  }
  airfoil_mesh mesh;
  if (airfoil_read(&options, &mesh) != 0) return AIRFOIL_ERROR;
  declare_constants();
  int rank = 0;
  op_rank(&rank);
  Airfoil airfoil(airfoil_mesh_block(&mesh, rank, op_comm_size()));
  const int ncell = mesh.ncell;
  airfoil_mesh_free(&mesh);
  return divide_and_solve(airfoil, options, ncell);
}

} // namespace

int main(int argc, char **argv) {
  int exit_code = AIRFOIL_ERROR;
  try {
    op2::context context(argc, argv);
    airfoil_options options;
    if (airfoil_parse(argc, argv, &options, &exit_code)) exit_code = read_and_solve(options);
  } catch (const op2::error &error) { // only with OP2_ERROR=return: the library ends the job otherwise
    std::fprintf(stderr, "airfoil: %s\n", error.what());
    exit_code = AIRFOIL_ERROR;
  }
  return exit_code;
}

// SPDX-License-Identifier: MIT
