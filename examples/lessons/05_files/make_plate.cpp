// make_plate.cpp: writes the mesh of spots.cpp, a plate of 120 x 120 squares, and what is on it in the beginning.
#include <op2/op2.hpp>
#include <vector>

int main(int argc, char **argv) {
  op2::context library(argc, argv);
  const int squares = 120, row = squares + 1; // squares and nodes in a row
  std::vector<double> x, life;                // coordinates; food and germs
  std::vector<int> ends, corners;             // 2 nodes of each edge, 4 nodes of each square
  for (int j = 0; j < row; ++j)
    for (int i = 0; i < row; ++i) {
      const int node = i + row * j;
      const bool seeded = (i > 30 && i < 40 && j > 30 && j < 40) || (i > 70 && i < 90 && j > 60 && j < 66);
      x.insert(x.end(), {1.0 * i, 1.0 * j});
      life.insert(life.end(), {seeded ? 0.5 : 1.0, seeded ? 0.25 : 0.0});
      if (i < squares) ends.insert(ends.end(), {node, node + 1});
      if (j < squares) ends.insert(ends.end(), {node, node + row});
      if (i < squares && j < squares) corners.insert(corners.end(), {node, node + 1, node + row + 1, node + row});
    }

  op2::set nodes(row * row, "nodes"), edges(static_cast<int>(ends.size()) / 2, "edges");
  op2::set cells(squares * squares, "cells");
  op2::map edge_nodes(edges, nodes, 2, ends, "edge_nodes"), cell_nodes(cells, nodes, 4, corners, "cell_nodes");
  op2::dat<double, 2> place(nodes, x, "x"), start(nodes, life, "life");
  op2::file("plate.h5").dump(); // all sets, maps and dats, under their names
  op_printf("plate.h5: %d nodes, %d edges, %d cells\n", row * row, static_cast<int>(ends.size()) / 2,
            squares * squares);
  return 0;
}

// SPDX-License-Identifier: MIT
