// airfoil.cpp: the airfoil solver in C++; every process reads the whole mesh and declares a block of it.
#include <cstdio>

#include "airfoil_solver.hpp"

namespace {

int read_and_solve(const airfoil_options &options) {
  airfoil_mesh mesh;
  if (airfoil_read(&options, &mesh) != 0) return AIRFOIL_ERROR;
  declare_constants();
  int rank = 0;
  op_rank(&rank);
  Airfoil airfoil(airfoil_mesh_block(&mesh, rank, op_comm_size()));
  const int ncell = mesh.ncell;
  airfoil_mesh_free(&mesh);
  op_partition("AUTO", "", airfoil.edges, airfoil.edge_cells, airfoil.x);
  if (airfoil_failed()) return AIRFOIL_ERROR;
  return solve(airfoil, options, ncell);
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
