// Views for visualisation (op2/view.h): coordinates, cells, fields, and the checks of each.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/view/series.hpp"
#include "mesh/mesh.hpp"
#include "op2/view.h"

namespace op2::core {

// A type of cells: VTK's number, the name and the code of XDMF.
struct ViewShape {
  op_cell_type type;
  int nodes; // 0: any number, at least 3
  const char *name, *xdmf;
  int xdmf_code;
  bool any_number = false; // of nodes, in XDMF
};
const ViewShape *find_shape(op_cell_type type); // NULL: there is none

struct ViewCells {
  op_map map;
  const ViewShape *shape;
};

struct ViewField {
  op_dat dat;
  std::string name;
};

} // namespace op2::core

// The object of a handle op_view.
struct op_view_core {
  std::string name;
  op_dat coordinates = nullptr;
  std::vector<op2::core::ViewCells> cells;
  std::vector<op2::core::ViewField> fields;
  std::map<std::string, op2::core::Series> series; // by the name of the file
};

namespace op2::core {

class Views {
 public:
  op_view_core &declare(op_dat coordinates, const char *name);
  op_view_core &find(op_view handle) const; // throws OP_ERR_HANDLE

 private:
  std::vector<std::unique_ptr<op_view_core>> all_;
};

// Does the view show cells of this set?
bool shows(const op_view_core &view, op_set set);

// The map by which cells of set `shown` take values of set `values`, which is not shown: the first with one column, as
// meshes from files have from each type of cells to all cells. NULL: there is none.
Map *way_to_values(const Mesh &mesh, const op_view_core &view, op_set shown, op_set values);

// Argument checks of each call; they throw.
const Dat &need_coordinates(Mesh &mesh, op_dat coordinates, const char *name);
const ViewShape &need_cells(Mesh &mesh, const op_view_core &view, op_map map, op_cell_type type);
std::string need_field(Mesh &mesh, const op_view_core &view, op_dat dat, const char *name); // the field's name

} // namespace op2::core

// SPDX-License-Identifier: MIT
