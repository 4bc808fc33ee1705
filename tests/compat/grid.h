// grid.h: a grid of quadrilaterals for the programs of this folder, and how they split and check it. Not a part of
// OP2's interface: every process makes all of the grid, and declares the part that is its own.
#ifndef GRID_H
#define GRID_H

#include <vector>

// Nodes (i, j), 0 <= i <= nx, 0 <= j <= ny; cells between them; edges between neighbouring cells, node edges between
// neighbouring nodes.
struct grid {
  int nx, ny, nnode, ncell;
  std::vector<double> x;        // [nnode][2]
  std::vector<int> cell;        // [ncell][4] nodes
  std::vector<int> edge, ecell; // [nedge][2] nodes, cells
  std::vector<int> link;        // [nlink][2] nodes
  std::vector<int> border;      // nodes of the boundary
  int nedge, nlink, nborder;

  int node(int i, int j) const { return i + j * (nx + 1); }

  grid(int columns, int rows) : nx(columns), ny(rows), nnode((columns + 1) * (rows + 1)), ncell(columns * rows) {
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i <= nx; i++) {
        x.push_back(i + 0.1 * ((i * 7 + j * 3) % 5));
        x.push_back(j + 0.1 * ((i * 2 + j * 5) % 7));
        if (i < nx) pair(link, node(i, j), node(i + 1, j));
        if (j < ny) pair(link, node(i, j), node(i, j + 1));
        if (i == 0 || j == 0 || i == nx || j == ny) border.push_back(node(i, j));
      }
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        pair(cell, node(i, j), node(i + 1, j));
        pair(cell, node(i + 1, j + 1), node(i, j + 1));
        if (i + 1 < nx) pair(edge, node(i + 1, j), node(i + 1, j + 1)), pair(ecell, i + j * nx, i + 1 + j * nx);
        if (j + 1 < ny) pair(edge, node(i, j + 1), node(i + 1, j + 1)), pair(ecell, i + j * nx, i + (j + 1) * nx);
      }
    nedge = (int)edge.size() / 2;
    nlink = (int)link.size() / 2;
    nborder = (int)border.size();
  }

 private:
  static void pair(std::vector<int> &list, int a, int b) {
    list.push_back(a);
    list.push_back(b);
  }
};

// The block of `size` elements that a process declares, and its rows of an array.
struct block {
  int first, size;
  block(int all, int process, int processes) {
    size = all / processes + (process < all % processes ? 1 : 0);
    first = process * (all / processes) + (process < all % processes ? process : all % processes);
  }
  template <class T>
  T *of(std::vector<T> &array, int dim) const {
    return array.empty() ? NULL : &array[0] + (size_t)first * dim;
  }
};

static int failures = 0;
__attribute__((unused)) static void check(bool right, const char *what) {
  if (right) return;
  failures++;
  int rank = 0;
  op_rank(&rank);
  printf("FAILED on process %d: %s\n", rank, what);
}

#endif

/* SPDX-License-Identifier: MIT */
