// plate.hpp: the mesh of the three programs: a square plate, cut into 40 x 40 squares.
#ifndef OP2_LESSON_PLATE_HPP
#define OP2_LESSON_PLATE_HPP

#include <op2/op2.hpp>
#include <vector>

struct Plate {
  static constexpr int squares = 40, row = squares + 1; // squares and nodes in a row
  std::vector<double> x, warm;                          // coordinates and temperature of each node
  std::vector<int> edge_nodes, square_nodes;            // 2 nodes of each edge, 4 nodes of each square

  Plate() {
    for (int j = 0; j < row; ++j)
      for (int i = 0; i < row; ++i) {
        const int node = i + row * j;
        x.insert(x.end(), {1.0 * i, 1.0 * j});
        warm.push_back(i >= 16 && i <= 24 && j >= 16 && j <= 24 ? 100.0 : 0.0); // a hot square in the middle
        if (i < squares) edge_nodes.insert(edge_nodes.end(), {node, node + 1});
        if (j < squares) edge_nodes.insert(edge_nodes.end(), {node, node + row});
        if (i < squares && j < squares)
          square_nodes.insert(square_nodes.end(), {node, node + 1, node + row + 1, node + row});
      }
  }
};

#endif

// SPDX-License-Identifier: MIT
