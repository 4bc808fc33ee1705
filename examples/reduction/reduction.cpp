// reduction.cpp: global reductions through an indirect and a direct loop: counts by increments, extremes of
// coordinates.
//
// usage: reduction [mesh file]; without a file a small airfoil mesh is generated. Exit code: 0 right, 1 wrong, 2 no
// mesh.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <op2/op2.hpp>
#include <utility>
#include <vector>

#include "mesh_reader.h"
#include "naca_mesh.hpp"

namespace {

void count_edge(int *faces1, int *faces2, int *edges) {
  *faces1 += 1;
  *faces2 += 1;
  *edges += 1;
}

void count_cell(const int *faces, int *all_faces, int *cells) {
  *all_faces += *faces;
  *cells += 1;
}

void extremes(const double *x, double *xmin, double *xmax, double *ymin, double *ymax) {
  if (x[0] < *xmin) *xmin = x[0];
  if (x[0] > *xmax) *xmax = x[0];
  if (x[1] < *ymin) *ymin = x[1];
  if (x[1] > *ymax) *ymax = x[1];
}

// What the loops need of a mesh.
struct Input {
  std::vector<double> x;
  std::vector<int> edge_cells;
  int ncell = 0;
};

bool read_input(const char *file, Input &input) {
  if (!file) {
    naca::Mesh mesh = naca::make_mesh(24, 36);
    input = {std::move(mesh.x), std::move(mesh.edge_cells), mesh.ncell};
    return true;
  }
  airfoil_mesh mesh;
  char message[512];
  if (airfoil_mesh_read(file, &mesh, message, sizeof message) != 0) {
    if (op_is_root()) std::fprintf(stderr, "reduction: %s\n", message);
    return false;
  }
  input.x.assign(mesh.x, mesh.x + 2 * static_cast<std::size_t>(mesh.nnode));
  input.edge_cells.assign(mesh.edge_cells, mesh.edge_cells + 2 * static_cast<std::size_t>(mesh.nedge));
  input.ncell = mesh.ncell;
  airfoil_mesh_free(&mesh);
  return true;
}

template <class T>
bool check(const char *what, T found, T expected) {
  const bool good = found == expected;
  op_printf("%s: %g, expected %g%s\n", what, static_cast<double>(found), static_cast<double>(expected),
            good ? "" : "  WRONG");
  return good;
}

bool run(const Input &input) {
  const int nedge = static_cast<int>(input.edge_cells.size() / 2), nnode = static_cast<int>(input.x.size() / 2);
  const bool here = op_is_root() != 0; // with several processes the first one declares everything
  op2::set nodes(here ? nnode : 0, "nodes"), edges(here ? nedge : 0, "edges"), cells(here ? input.ncell : 0, "cells");
  op2::map edge_cells(edges, cells, 2, input.edge_cells.data(), "edge_cells");
  op2::dat<double, 2> x(nodes, input.x.data(), "x");
  op2::dat<int, 1> faces(cells, nullptr, "faces");

  int edge_count = 0, cell_count = 0, face_count = 0;
  op_par_loop(count_edge, "count_edge", edges, op2::inc(faces, 0, edge_cells), op2::inc(faces, 1, edge_cells),
              op2::gbl_inc(&edge_count));
  op_par_loop(count_cell, "count_cell", cells, op2::read(faces), op2::gbl_inc(&face_count), op2::gbl_inc(&cell_count));

  double xmin = 1e30, xmax = -1e30, ymin = 1e30, ymax = -1e30;
  op_par_loop(extremes, "extremes", nodes, op2::read(x), op2::gbl_min(&xmin), op2::gbl_max(&xmax), op2::gbl_min(&ymin),
              op2::gbl_max(&ymax));

  int wrong_cells = 0; // the sum over all cells does not say which of them an edge was counted for
  const std::vector<int> found_faces = faces.fetch_own();
  if (here) {
    std::vector<int> expected_faces(static_cast<std::size_t>(input.ncell), 0);
    for (const int cell : input.edge_cells) ++expected_faces[static_cast<std::size_t>(cell)];
    for (std::size_t n = 0; n < expected_faces.size(); ++n) wrong_cells += found_faces.at(n) != expected_faces[n];
  }

  double low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
  for (std::size_t n = 0; n < input.x.size(); ++n) {
    low[n % 2] = std::min(low[n % 2], input.x[n]);
    high[n % 2] = std::max(high[n % 2], input.x[n]);
  }
  bool good = check("edges", edge_count, nedge);
  good = check("cells", cell_count, input.ncell) && good;
  good = check("faces of all cells", face_count, 2 * nedge) && good;
  good = check("cells with another number of faces", wrong_cells, 0) && good;
  good = check("smallest x", xmin, low[0]) && good;
  good = check("largest x", xmax, high[0]) && good;
  good = check("smallest y", ymin, low[1]) && good;
  return check("largest y", ymax, high[1]) && good;
}

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  const char *file = nullptr;
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "OP", 2) != 0) file = argv[i];
  Input input;
  if (!read_input(file, input)) return 2;
  const bool good = run(input);
  op_printf("Reductions %s\n", good ? "PASSED" : "FAILED");
  return good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
