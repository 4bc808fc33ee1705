// The cells that particles are traced through: their nodes, types and neighbours.
//
// Cells of any mix of triangles and quadrangles (two coordinates), or tetrahedra, pyramids, prisms and hexahedra
// (three). Nodes and sides of a type are those of meshfile/mesh_file.hpp. All numbers count from 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "meshfile/mesh_file.hpp"

namespace op2::core::streamline {

inline constexpr int most_nodes = 8, most_sides = 6; // of a cell

class Cells {
 public:
  // dim: coordinates of a node, 2 or 3. x: [nodes][dim], which must outlive this.
  Cells(int dim, std::span<const double> x);

  // Adds cells of one type; nodes: [cells][nodes of the type]. Throws OP_ERR_ARGUMENT if the type does not fit the
  // coordinates or a node does not exist.
  void add(CellType type, std::span<const int> nodes);
  // After the last add(): finds neighbours. Throws OP_ERR_ARGUMENT if more than two cells share a side.
  void connect();

  int dim() const { return dim_; }
  int size() const { return static_cast<int>(type_.size()); }
  int nodes() const { return static_cast<int>(x_.size()) / dim_; }
  CellType type(int cell) const { return type_[static_cast<std::size_t>(cell)]; }
  std::span<const int> nodes_of(int cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return {node_.data() + node_begin_[c], node_begin_[c + 1] - node_begin_[c]};
  }
  const double *x(int node) const { return x_.data() + static_cast<std::ptrdiff_t>(node) * dim_; }
  // The cell behind a side, -1 = none.
  int neighbour(int cell, int side) const {
    return neighbour_[side_begin_[static_cast<std::size_t>(cell)] + static_cast<std::size_t>(side)];
  }

 private:
  int dim_;
  std::span<const double> x_;
  std::vector<CellType> type_;
  std::vector<std::size_t> node_begin_{0}, side_begin_{0};
  std::vector<int> node_, neighbour_;
};

} // namespace op2::core::streamline
