// The mesh that is traced through, as it comes from where it is kept: cells with their numbers in the whole mesh, each
// with one process, and rows of nodes and cells by number.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "streamline/field.hpp"

namespace op2::core::tracer {

using streamline::Box;
using streamline::Cells;
using streamline::Field;
using streamline::finite;
using streamline::Vector;

struct CellRecord {
  std::int64_t number = 0;                                 // among all cells of the mesh
  std::array<std::int64_t, streamline::most_nodes> node{}; // numbers of nodes, in the order of the cell's type
  std::int32_t type = 0;                                   // a CellType
  std::int32_t owner = 0;                                  // the process that traces what is in it
  std::int32_t block = 0;                                  // of its owner, by any numbers
};

// Rows [numbers][dim] of any nodes or cells. Collective.
using Rows = std::function<std::vector<double>(std::span<const std::int64_t>)>;

struct Source {
  int dim = 3;
  std::vector<CellRecord> cells;
  Rows coordinates; // of nodes
  Rows velocity;    // of nodes or cells
  Field::On on = Field::On::nodes;
  Rows later; // as velocity; none: it does not change
  double duration = 0;
};

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
