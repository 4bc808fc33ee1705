// mesh_part.hpp: each process reads its own part of the text mesh and nothing else; together they have all of it.
//
// Process r of P takes the lines that begin in the r-th of P equal parts of the file, so what it declares are the rows
// it has read: some processes may have no row of some set. The text is that of mesh_reader.h with one row on each line,
// as make_naca_mesh writes it.
#ifndef OP2_EXAMPLES_MESH_PART_HPP
#define OP2_EXAMPLES_MESH_PART_HPP

#include <string>
#include <vector>

#include "mesh_reader.h"

// The rows of this process.
struct MeshPart {
  int nnode = 0, ncell = 0, nedge = 0, nbedge = 0; // of the whole mesh
  std::vector<double> x;
  std::vector<int> cell_nodes, edge_nodes, edge_cells, bedge_nodes, bedge_cell, bound; // global indices

  // What the declarations take, as pointers into this object.
  [[nodiscard]] airfoil_mesh rows();
};

// Collective, after op_init(). Throws std::runtime_error on all processes when one of them cannot read its part; only
// those have a message.
MeshPart read_mesh_part(const std::string &file);

#endif

// SPDX-License-Identifier: MIT
