// Faces (edges in two dimensions) of a mesh with the cells on both sides.
#pragma once

#include "meshfile/mesh_file.hpp"

namespace op2::core {

// Faces with two cells and boundary faces with one. A row of nodes has `arity` entries; shorter faces repeat their last
// node. Read in this order, the nodes make a normal (right-hand rule; in two dimensions to the right of the edge) that
// points from the left cell to the right one, or out of the mesh.
struct Connectivity {
  int arity = 0;
  std::vector<int> face_nodes;     // [faces][arity]
  std::vector<int> face_cells;     // [faces][2], left and right
  std::vector<int> boundary_nodes; // [boundary faces][arity]
  std::vector<int> boundary_cell;
  std::vector<int> boundary_patch; // number of the patch in the file, or no_patch
  int unnamed = 0;                 // boundary faces that the file does not list
  int unmatched = 0;               // listed faces that are no boundary faces of the mesh
  int non_manifold = 0;            // faces of more than two cells; each further cell gets a boundary face

  int faces() const { return static_cast<int>(face_cells.size() / 2); }
  int boundary_faces() const { return static_cast<int>(boundary_cell.size()); }
};

inline constexpr int no_patch = -1;

// Sorts faces by their left cell, which has the smaller number, then by the right one; given faces keep their order.
// The mesh must have passed check_numbers().
Connectivity connect(const MeshFile &mesh);

// The faces of a mesh with polyhedra or polygons, and in `patches` for each boundary face the place of its patch or -1.
GivenFaces match_free_sides(const MeshFile &mesh, std::vector<int> &patches);

// The nodes of a face, without the repetitions that fill its row.
std::span<const int> face_row(std::span<const int> nodes, int arity, int face);

} // namespace op2::core

// SPDX-License-Identifier: MIT
