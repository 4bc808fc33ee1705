// The arguments of a loop, checked against the mesh.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "op2/loop.h"

namespace op2::core {

struct LoopArg {
  int kind = OP_RANGE_ABSENT; // OP_RANGE_...
  op_access access = OP_READ;
  ElementType element;
  int dim = 0;
  Dat *dat = nullptr;
  const Map *map = nullptr;
  int column = 0;      // first column of the map
  int count = 0;       // vector arguments: number of columns
  int payload_of = -1; // info arguments: position of the extremum's argument
  int first = 0;       // index arguments: the number of the first element
  const op_reduction_core *reduction = nullptr;
  op_global_core *global = nullptr; // of the library; NULL: a variable of the program

  bool through_map() const { return dat && map; }
  bool reduces() const { return kind == OP_RANGE_GLOBAL && access != OP_READ && !shared(); }
  // A variable of the program that the elements use one after another.
  bool shared() const {
    return kind == OP_RANGE_GLOBAL && (access == OP_WRITE || access == OP_RW || access == OP_WORK);
  }
};

// Where column `column` of a map's table begins. A map of an empty set has no table, and nothing may be added to a null
// pointer.
inline const int *column_of(const int *table, int column) { return table ? table + column : nullptr; }

const char *access_name(op_access access);

// Checks everything about the arguments of a loop over `set`. Throws an Error that names the argument.
std::vector<LoopArg> resolve_args(const Mesh &mesh, const Set &set, std::span<const op_arg> args);

// "loop 'res' on set 'edges': OP_READ 'x' by column 0 of 'edge_nodes', ...": equal on two processes if their loops are
// the same.
std::string loop_text(const std::string &name, const Set &set, std::span<const LoopArg> args);

} // namespace op2::core

// SPDX-License-Identifier: MIT
