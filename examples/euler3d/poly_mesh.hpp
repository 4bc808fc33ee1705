// poly_mesh.hpp: generates meshes of the unit cube by their faces: of hexahedra, tetrahedra or general polyhedra.
#ifndef OP2_EXAMPLES_POLY_MESH_HPP
#define OP2_EXAMPLES_POLY_MESH_HPP

#include <vector>

namespace poly {

// Rows are contiguous. The nodes of a face go around it; the normal that they give by the right hand points from the
// left to the right cell, and outwards on the boundary. Faces with fewer corners than others repeat their last node.
struct Mesh {
  int nnode = 0, ncell = 0, nface = 0, nbface = 0;
  int face_corners = 0, bface_corners = 0; // most corners of any face
  std::vector<double> x;                   // [nnode][3] coordinates
  std::vector<int> face_cells;             // [nface][2] left, right
  std::vector<int> face_nodes;             // [nface][face_corners]
  std::vector<int> bface_cells;            // [nbface]
  std::vector<int> bface_nodes;            // [nbface][bface_corners]
  std::vector<int> bface_patch;            // [nbface] 0, 1: x = 0, x = 1; 2, 3: y; 4, 5: z
};

// Polyhedra: hexahedra with additional nodes on some edges, some faces cut in two, some neighbours made one cell.
enum class Kind { hexahedra, tetrahedra, polyhedra };

constexpr int largest_n = 100;

// n x n x n small cubes, in tetrahedra six for each. Nodes inside are moved at random by up to 15 % of a cube: nothing
// is aligned, and faces with more than three corners are not plane. Throws std::invalid_argument unless 1 <= n <=
// largest_n.
Mesh make_mesh(Kind kind, int n);

} // namespace poly

#endif

// SPDX-License-Identifier: MIT
