// The text of the airfoil programs: counts, coordinates, cells, edges with cells, boundary edges.
#include "meshfile/read.hpp"

namespace op2::core {

namespace {

class AirfoilReader {
 public:
  explicit AirfoilReader(Cursor in) : in_(std::move(in)) {}

  MeshFile read() {
    mesh_.format = "airfoil";
    mesh_.dim = mesh_.cell_dim = 2;
    header();
    for (double &value : mesh_.x) value = in_.real("a coordinate");
    for (int i = 0; i < cells_; ++i) {
      const std::array row = {node(), node(), node(), node()};
      mesh_.add_cell(CellType::quadrangle, row);
    }
    // The file has the first cell to the right of an edge, we have it to the left.
    for (int i = 0; i < edges_; ++i) {
      edge();
      mesh_.faces.left.push_back(cell());
      mesh_.faces.right.push_back(cell());
    }
    for (int i = 0; i < boundary_edges_; ++i) {
      edge();
      mesh_.faces.left.push_back(cell());
      const int bound = in_.number("what is at the boundary");
      mesh_.boundary_patch.push_back(mesh_.patch(bound, bound == 1 ? "wall" : bound == 2 ? "farfield" : ""));
    }
    if (!in_.at_end()) in_.fail_here("the mesh is complete, but the file goes on");
    return std::move(mesh_);
  }

 private:
  void header() {
    nodes_ = static_cast<int>(in_.count("the number of nodes", 4));
    cells_ = static_cast<int>(in_.count("the number of cells", 8));
    edges_ = static_cast<int>(in_.count("the number of edges", 8));
    boundary_edges_ = static_cast<int>(in_.count("the number of boundary edges", 8));
    mesh_.x.resize(2 * static_cast<std::size_t>(nodes_));
  }
  int node() { return in_.number("the number of a node", 0, nodes_ - 1); }
  int cell() { return in_.number("the number of a cell", 0, cells_ - 1); }
  void edge() {
    const int first = node(), second = node();
    mesh_.faces.nodes.items.insert(mesh_.faces.nodes.items.end(), {second, first});
    mesh_.faces.nodes.close();
  }

  Cursor in_;
  MeshFile mesh_;
  int nodes_ = 0, cells_ = 0, edges_ = 0, boundary_edges_ = 0;
};

} // namespace

MeshFile read_airfoil(Cursor in) { return AirfoilReader(std::move(in)).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
