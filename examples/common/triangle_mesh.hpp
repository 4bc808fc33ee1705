// triangle_mesh.hpp: generates a mesh of triangles of a rectangle: nx x ny small rectangles, each cut along one of its
// diagonals at random, the nodes inside moved at random.
#ifndef OP2_EXAMPLES_TRIANGLE_MESH_HPP
#define OP2_EXAMPLES_TRIANGLE_MESH_HPP

#include <vector>

namespace triangles {

// Rows are contiguous: entry [n][k] of a map with dim d stands at n * d + k.
struct Mesh {
  int nnode = 0, ncell = 0, nedge = 0, nbedge = 0;
  std::vector<double> x;        // [nnode][2] coordinates
  std::vector<int> cell_nodes;  // [ncell][3] counter-clockwise
  std::vector<int> edge_nodes;  // [nedge][2] between two cells; the first cell is on the left of the way from 0 to 1
  std::vector<int> edge_cells;  // [nedge][2]
  std::vector<int> bedge_nodes; // [nbedge][2] on the boundary, which lies on the right
  std::vector<int> bedge_cell;  // [nbedge]
  std::vector<int> side;        // [nbedge] of the rectangle: 0, 1: low, high x; 2, 3: low, high y
};

struct Shape {
  int nx = 1, ny = 1;
  double low_x = 0, high_x = 1, low_y = 0, high_y = 1;
  int jiggle = 0; // nodes inside are moved by up to this many percent of a small rectangle's sides
};

// Throws std::invalid_argument unless nx and ny are from 1 to 4096 and jiggle is from 0 to 30.
Mesh make_mesh(const Shape &shape);

} // namespace triangles

#endif

// SPDX-License-Identifier: MIT
