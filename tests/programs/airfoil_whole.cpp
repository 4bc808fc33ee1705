// airfoil_whole.cpp: airfoil as a program for one process has it: it declares all of its mesh and asks for no division. In a
// job of several processes each of them does so, and OP2_DECLARE says how it is meant.
#include <cstdio>

#include "airfoil_solver.hpp"

int main(int argc, char **argv) {
  int exit_code = AIRFOIL_ERROR;
  op2::context context(argc, argv);
  airfoil_options options;
  airfoil_mesh mesh;
  if (!airfoil_parse(argc, argv, &options, &exit_code) || airfoil_read(&options, &mesh) != 0) return exit_code;
  declare_constants();
  Airfoil airfoil(airfoil_mesh_block(&mesh, 0, 1)); // one block
  const int ncell = mesh.ncell;
  airfoil_mesh_free(&mesh);
  return solve(airfoil, options, ncell);
}

// SPDX-License-Identifier: MIT
