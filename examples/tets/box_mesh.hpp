// box_mesh.hpp: generates a tetrahedral mesh of the unit cube: n x n x n small cubes of six tetrahedra each.
#ifndef OP2_EXAMPLES_BOX_MESH_HPP
#define OP2_EXAMPLES_BOX_MESH_HPP

#include <vector>

namespace box {

// Rows are contiguous: entry [n][k] of a map with dim d stands at n * d + k. Every cell and every edge lists its nodes
// in ascending order: an edge has the same direction in all of its cells.
struct Mesh {
  int nnode = 0, ncell = 0, nedge = 0, nface = 0;
  std::vector<float> x;        // [nnode][3] coordinates
  std::vector<int> cell_nodes; // [ncell][4]
  std::vector<int> cell_edges; // [ncell][6] from node to node: 0-1, 0-2, 0-3, 1-2, 1-3, 2-3
  std::vector<int> edge_nodes; // [nedge][2]
  std::vector<int> face_nodes; // [nface][3] triangles on the surface, counter-clockwise seen from outside
  std::vector<int> side;       // [nface] 0, 1: x = 0, x = 1; 2, 3: y; 4, 5: z
};

struct Shape {
  int n = 12;
  int jiggle = 0;  // nodes inside are moved at random by up to this many percent of a small cube
  int shuffle = 0; // not 0: nodes, cells, edges and faces are numbered at random, this is the seed
};

constexpr int largest_n = 100; // 6 million cells

// Throws std::invalid_argument unless 1 <= n <= largest_n, 0 <= jiggle <= 20 and shuffle >= 0.
Mesh make_mesh(const Shape &shape);

} // namespace box

#endif

// SPDX-License-Identifier: MIT
