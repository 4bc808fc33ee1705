// The arrays of a view's files: their extents, and the rows that this process writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/view/array_file.hpp"
#include "io/view/view.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// The cells of one set, behind earlier blocks.
struct ViewBlock {
  Map *map;
  const ViewShape *shape;
  op_gindex first_cell, first_node; // first_node: map entries of earlier blocks
};

// Values of a block's cells: rows of `dat`, or the rows that `way` leads to. dat NULL: no values.
struct ViewPart {
  Dat *dat = nullptr;
  Map *way = nullptr;
};

class ViewArrays {
 public:
  // Throws OP_ERR_HANDLE, OP_ERR_STATE. The arrays refer to this object.
  ViewArrays(Mesh &mesh, const op_view_core &view);

  op_gindex nodes() const { return coordinates_->on().global_size; }
  op_gindex cells() const { return cells_; }
  op_gindex entries() const { return entries_; } // of all cells
  bool mixed() const;                          // do types or node counts of cells differ?
  const ViewShape &shape() const { return *blocks_.front().shape; }
  int cell_nodes() const { return blocks_.front().map->dim; } // of the first block's cells

  ViewArray points(const std::string &name); // always three components
  ViewArray connectivity(const std::string &name);
  ViewArray offsets(const std::string &name);
  ViewArray types(const std::string &name);          // VTK's
  ViewArray table(const std::string &name);          // XDMF: nodes of cells of one type
  ViewArray mixed_topology(const std::string &name); // XDMF: for each cell its code and its nodes
  ViewArray counter(const std::string &name, op_gindex value);
  ViewArray time(const std::string &name, double value);

  struct Field {
    std::string name;
    bool nodes;
    ViewArray array;
  };
  // place(number, name, nodes) returns an array's name.
  std::vector<Field> fields(const std::function<std::string(int, const std::string &, bool)> &place);

 private:
  Dat &dat_of(const ViewField &field) const;
  std::vector<ViewPart> parts_of(const ViewField &field) const;
  ViewArray cell_field(const ViewField &field);

  Mesh &mesh_;
  const op_view_core &view_;
  Dat *coordinates_;
  std::vector<ViewBlock> blocks_;
  op_gindex cells_ = 0, entries_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
