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
  int non_manifold = 0;            // faces of more than two cells; the further ones are boundary faces

  int faces() const { return static_cast<int>(face_cells.size() / 2); }
  int boundary_faces() const { return static_cast<int>(boundary_cell.size()); }
};

inline constexpr int no_patch = -1;

// Faces are in the order of their left cells, which have the smaller number, and of the right ones; given faces stay as
// they are. All numbers of the mesh must have been checked.
Connectivity connect(const MeshFile &mesh);

// The faces of a mesh with polyhedra or polygons, and for each boundary face the place of its patch or -1.
GivenFaces match_free_sides(const MeshFile &mesh, std::vector<int> &patches);

// The nodes of a row without those that only fill it.
std::span<const int> face_row(std::span<const int> nodes, int arity, int face);

} // namespace op2::core
