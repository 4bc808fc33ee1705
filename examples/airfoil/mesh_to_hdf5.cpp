// mesh_to_hdf5.cpp: the program naca_mesh_to_hdf5: from the text mesh of the airfoil programs to an HDF5 file with the
// names that OP2's airfoil programs use. With several processes each declares its block.
#include <cstdio>

#include "airfoil_solver.hpp"

namespace {

constexpr char usage[] =
    "usage: naca_mesh_to_hdf5 MESH FILE\n"
    "Write the text mesh MESH (see make_naca_mesh) to FILE as HDF5: the mesh, the free stream, the constants.\n";

int convert(const char *text, const char *file) {
  airfoil_mesh mesh;
  char message[256];
  if (airfoil_mesh_read(text, &mesh, message, sizeof message) != 0) {
    std::fprintf(stderr, "naca_mesh_to_hdf5: %s\n", message);
    return 2;
  }
  airfoil_constants();
  int rank = 0;
  op_rank(&rank);
  const airfoil_mesh block = airfoil_mesh_block(&mesh, rank, op_comm_size());
  const op_set nodes = op_decl_set(block.nnode, "nodes"), edges = op_decl_set(block.nedge, "edges");
  const op_set bedges = op_decl_set(block.nbedge, "bedges"), cells = op_decl_set(block.ncell, "cells");
  op_decl_map(edges, nodes, 2, block.edge_nodes, "pedge");
  op_decl_map(edges, cells, 2, block.edge_cells, "pecell");
  op_decl_map(bedges, nodes, 2, block.bedge_nodes, "pbedge");
  op_decl_map(bedges, cells, 1, block.bedge_cell, "pbecell");
  op_decl_map(cells, nodes, 4, block.cell_nodes, "pcell");
  std::vector<double> q(4 * static_cast<std::size_t>(block.ncell));
  for (std::size_t n = 0; n < q.size(); ++n) q[n] = qinf[n % 4];
  op_decl_dat(bedges, 1, "int", block.bound, "p_bound");
  op_decl_dat(nodes, 2, "double", block.x, "p_x");
  op_decl_dat(cells, 4, "double", q.data(), "p_q");
  op_decl_dat(cells, 4, "double", nullptr, "p_qold");
  op_decl_dat(cells, 1, "double", nullptr, "p_adt");
  op_decl_dat(cells, 4, "double", nullptr, "p_res");
  airfoil_mesh_free(&mesh);
  op_dump_to_hdf5(file);
  op_write_const_hdf5("gam", 1, "double", &gam, file);
  op_write_const_hdf5("gm1", 1, "double", &gm1, file);
  op_write_const_hdf5("cfl", 1, "double", &cfl, file);
  op_write_const_hdf5("eps", 1, "double", &eps, file);
  op_write_const_hdf5("mach", 1, "double", &mach, file);
  op_write_const_hdf5("qinf", 4, "double", qinf, file);
  return airfoil_failed() ? 2 : 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3 || argv[1][0] == '-') {
    std::fputs(usage, argc == 2 ? stdout : stderr);
    return argc == 2 ? 0 : 2;
  }
  op2::context context(argc, argv);
  return convert(argv[1], argv[2]);
}

// SPDX-License-Identifier: MIT
