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
  int size() const { return size_; }
  int nodes() const { return static_cast<int>(x_.size()) / dim_; }
  CellType type(int cell) const { return type_.empty() ? only_ : type_[static_cast<std::size_t>(cell)]; }
  std::span<const int> nodes_of(int cell) const {
    return {links_.data() + begin(cell), static_cast<std::size_t>(shape(type(cell)).nodes)};
  }
  const double *x(int node) const { return x_.data() + static_cast<std::ptrdiff_t>(node) * dim_; }
  // The cell behind a side, -1 = none.
  int neighbour(int cell, int side) const {
    return links_[begin(cell) + static_cast<std::size_t>(shape(type(cell)).nodes + side)];
  }
  // Brings those behind the sides of the cell into the cache.
  void expect_around(int cell) const {
    const CellShape &kind = shape(type(cell));
    const int *const behind = links_.data() + begin(cell) + static_cast<std::size_t>(kind.nodes);
    for (std::size_t side = 0; side < kind.sides.size(); ++side)
      if (behind[side] >= 0) __builtin_prefetch(links_.data() + begin(behind[side]));
  }

 private:
  std::size_t begin(int cell) const {
    return begin_.empty() ? static_cast<std::size_t>(cell) * each_ : begin_[static_cast<std::size_t>(cell)];
  }
  void begin_other_types();

  int dim_, size_ = 0;
  std::span<const double> x_;
  // Of each cell its nodes, then the cells behind its sides: who walks needs both, and finds them in one place.
  std::vector<int> links_;
  // As long as all cells are of one type, the next two are empty.
  std::vector<CellType> type_;
  std::vector<std::size_t> begin_; // in links_
  CellType only_ = CellType::tetrahedron;
  std::size_t each_ = 0; // links of a cell of this type
};

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
