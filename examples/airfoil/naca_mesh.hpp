// naca_mesh.hpp: generates the classic airfoil mesh, a C-shaped grid of quadrilaterals around a NACA 0012 profile.
//
// Counts, numbering and order are those of the text mesh that airfoil programs read, coordinates are rounded to its six
// decimals: a mesh used from memory and the same mesh read back from its file agree in every bit.
#ifndef OP2_EXAMPLES_NACA_MESH_HPP
#define OP2_EXAMPLES_NACA_MESH_HPP

#include <string>
#include <vector>

namespace naca {

// All indices count from 0. Rows are contiguous: entry [n][k] of a map with dim d stands at n * d + k.
struct Mesh {
  int nnode = 0, ncell = 0, nedge = 0, nbedge = 0;
  std::vector<double> x;        // [nnode][2] coordinates
  std::vector<int> cell_nodes;  // [ncell][4] corners, counter-clockwise in the mapped plane
  std::vector<int> edge_nodes;  // [nedge][2] interior edges
  std::vector<int> edge_cells;  // [nedge][2]
  std::vector<int> bedge_nodes; // [nbedge][2] boundary edges; the order of the nodes fixes the sign of the flux
  std::vector<int> bedge_cell;  // [nbedge]
  std::vector<int> bound;       // [nbedge] 1 = wall, 2 = far field
};

// 3I cells along the C, J cells away from it: 400, 600 gives the reference mesh of 720 000 cells.
// Throws std::invalid_argument when I < 2, J < 2 or a count does not fit an int.
Mesh make_mesh(int I, int J);

// The same grid for finite elements: the two sides of the wake share their nodes.
struct FemMesh {
  int nnode = 0, ncell = 0, nbnode = 0;
  std::vector<double> x;       // [nnode][2] coordinates
  std::vector<int> cell_nodes; // [ncell][4] corners (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1) of the grid
  std::vector<int> boundary;   // [nbnode] nodes of the far field, in ascending order
};

// I, J and errors as for make_mesh().
FemMesh make_fem_mesh(int I, int J);

// The mesh of make_mesh() row by row, from the profile outwards, in memory of O(I + J): for meshes larger than memory.
// I, J and errors as for make_mesh().
class MeshRows {
 public:
  MeshRows(int I, int J);

  int nnode, ncell, nedge, nbedge;
  int point_rows() const { return J_ + 1; }
  int cell_rows() const { return J_; } // of edges too
  // Each appends what comes next: points in the row 0 <= j < point_rows(), cells and edges in the row 0 <= j <
  // cell_rows().
  void points(int j, std::vector<double> &x) const;
  void cells(int j, std::vector<int> &cell_nodes) const;
  void edges(int j, std::vector<int> &edge_nodes, std::vector<int> &edge_cells) const;
  void boundary(std::vector<int> &bedge_nodes, std::vector<int> &bedge_cell, std::vector<int> &bound) const;

 private:
  int node(int i, int j) const { return i + j * (width_ + 1); }
  int cell(int i, int j) const { return i + j * width_; }

  int I_, J_, width_;
  std::vector<double> base_; // [width + 1][2] the points of row 0 in the mapped plane
};

// Writes the text form. The file appears under its name only when it is complete. Throws std::runtime_error.
void write_mesh(const Mesh &mesh, const std::string &file);

} // namespace naca

#endif

// SPDX-License-Identifier: MIT
