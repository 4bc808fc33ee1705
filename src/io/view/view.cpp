#include "io/view/view.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr std::array shapes = {
    ViewShape{OP_CELL_VERTEX, 1, "vertex", "Polyvertex", 1, true},
    ViewShape{OP_CELL_LINE, 2, "line", "Polyline", 2, true},
    ViewShape{OP_CELL_TRIANGLE, 3, "triangle", "Triangle", 4},
    ViewShape{OP_CELL_POLYGON, 0, "polygon", "Polygon", 3, true},
    ViewShape{OP_CELL_QUADRILATERAL, 4, "quadrilateral", "Quadrilateral", 5},
    ViewShape{OP_CELL_TETRAHEDRON, 4, "tetrahedron", "Tetrahedron", 6},
    ViewShape{OP_CELL_HEXAHEDRON, 8, "hexahedron", "Hexahedron", 9},
    ViewShape{OP_CELL_PRISM, 6, "prism", "Wedge", 8},
    ViewShape{OP_CELL_PYRAMID, 5, "pyramid", "Pyramid", 7},
    ViewShape{OP_CELL_QUADRATIC_LINE, 3, "quadratic line", "Edge_3", 34},
    ViewShape{OP_CELL_QUADRATIC_TRIANGLE, 6, "quadratic triangle", "Triangle_6", 36},
    ViewShape{OP_CELL_QUADRATIC_QUADRILATERAL, 8, "quadratic quadrilateral", "Quadrilateral_8", 37},
    ViewShape{OP_CELL_QUADRATIC_TETRAHEDRON, 10, "quadratic tetrahedron", "Tetrahedron_10", 38},
    ViewShape{OP_CELL_QUADRATIC_HEXAHEDRON, 20, "quadratic hexahedron", "Hexahedron_20", 48},
    ViewShape{OP_CELL_QUADRATIC_PRISM, 15, "quadratic prism", "Wedge_15", 40},
    ViewShape{OP_CELL_QUADRATIC_PYRAMID, 13, "quadratic pyramid", "Pyramid_13", 39},
};

std::string names_of_shapes() {
  std::vector<std::string> names;
  for (const ViewShape &shape : shapes) names.push_back(text(shape.type, " (", shape.name, ")"));
  return listing(names);
}

// A name that is one dataset in every file.
void need_field_name(const std::string &name) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos)
    fail(OP_ERR_ARGUMENT, "a field cannot have the name '", name, "': it is empty, \".\" or has a \"/\"; pass another");
}

std::vector<Map *> ways_between(const Mesh &mesh, op_set from, op_set to) {
  std::vector<Map *> out;
  for (const std::unique_ptr<Map> &map : mesh.maps())
    if (map->from == from && map->to == to && map->dim == 1) out.push_back(map.get());
  return out;
}

// A second dat of this name must be another part of the same field.
void need_part(const Mesh &mesh, const op_view_core &view, const ViewField &there, const Dat &dat) {
  const Dat &part = *static_cast<const Dat *>(there.dat);
  const bool nodes = dat.set == view.coordinates->set, their_nodes = part.set == view.coordinates->set;
  if (nodes != their_nodes) return; // fields of nodes and of cells have names of their own
  if (part.set == dat.set)
    fail(OP_ERR_ARGUMENT, "view '", view.name, "' has a field '", there.name, "' on set '", dat.on().label,
         "' already; pass another name");
  const auto gives = [&](const Dat &one, op_set set) {
    return one.set == set || way_to_values(mesh, view, set, one.set);
  };
  for (const ViewCells &cells : view.cells)
    if (!nodes && gives(dat, cells.map->from) && gives(part, cells.map->from))
      fail(OP_ERR_ARGUMENT, "view '", view.name, "' has a field '", there.name, "' with values for the cells of set '",
           cells.map->from->name, "' already (dat '", part.label, "'); pass another name");
  if (!(part.element == dat.element))
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, ", the other part of field '", there.name,
         "' (dat '", part.label, "') has type ", part.type_label);
  if (part.dim != dat.dim)
    fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, ", the other part of field '", there.name, "' (dat '",
         part.label, "') has dim ", part.dim);
}

// Values on a set that is not shown come through maps; of each shown set one such map at most can be meant.
void need_ways(const Mesh &mesh, const op_view_core &view, const Dat &dat) {
  bool found = false;
  for (const ViewCells &cells : view.cells) {
    const std::vector<Map *> all = ways_between(mesh, cells.map->from, dat.set);
    if (all.size() > 1)
      fail(OP_ERR_SET, "dat '", dat.label, "' is on set '", dat.on().label, "', to which cells of view '", view.name,
           "' have several maps of dim 1, '", all[0]->label, "' and '", all[1]->label,
           "': copy the values that are meant to a dat on set '", all[0]->source().label, "'");
    found |= !all.empty();
  }
  if (!found)
    fail(OP_ERR_SET, "dat '", dat.label, "' is on set '", dat.on().label, "', which view '", view.name,
         "' shows neither as nodes nor as cells, and none of its cells has a map of dim 1 to it; add its cells first "
         "(op_view_cells)");
}

} // namespace

bool shows(const op_view_core &view, op_set set) {
  return std::any_of(view.cells.begin(), view.cells.end(),
                     [set](const ViewCells &cells) { return cells.map->from == set; });
}

Map *way_to_values(const Mesh &mesh, const op_view_core &view, op_set shown, op_set values) {
  if (values == view.coordinates->set || shows(view, values)) return nullptr;
  const std::vector<Map *> all = ways_between(mesh, shown, values);
  return all.empty() ? nullptr : all.front();
}

const ViewShape *find_shape(op_cell_type type) {
  const auto found =
      std::find_if(shapes.begin(), shapes.end(), [type](const auto &shape) { return shape.type == type; });
  return found == shapes.end() ? nullptr : &*found;
}

const Dat &need_coordinates(Mesh &mesh, op_dat coordinates, const char *name) {
  if (!name || !*name) fail(OP_ERR_ARGUMENT, "the name of the view is ", name ? "empty" : "NULL", "; pass a text");
  const Dat &dat = mesh.objects().dat(coordinates, "the dat of coordinates");
  if (dat.element.id != OP_TYPE_DOUBLE && dat.element.id != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, "; coordinates are double or float");
  if (dat.dim < 2 || dat.dim > 3)
    fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, "; coordinates are 2 or 3 values");
  return dat;
}

op_view_core &Views::declare(op_dat coordinates, const char *name) {
  auto view = std::make_unique<op_view_core>();
  view->name = name;
  view->coordinates = coordinates;
  all_.push_back(std::move(view));
  return *all_.back();
}

op_view_core &Views::find(op_view handle) const {
  if (!handle) fail(OP_ERR_HANDLE, "the view is NULL; a view is needed");
  for (const auto &view : all_)
    if (view.get() == handle) return *view;
  fail(OP_ERR_HANDLE,
       "the view is not a view of this context (from before op_exit(), or never declared); declare it "
       "after op_init()");
}

const ViewShape &need_cells(Mesh &mesh, const op_view_core &view, op_map map, op_cell_type type) {
  const Map &object = mesh.objects().map(map, "the map of the cells");
  const ViewShape *const shape = find_shape(type);
  if (!shape) fail(OP_ERR_ARGUMENT, "there is no type of cells ", type, "; there are ", names_of_shapes());
  if (map->to != view.coordinates->set)
    fail(OP_ERR_SET, "map '", object.label, "' leads to set '", object.target().label,
         "', but the coordinates of view '", view.name, "' are on set '", view.coordinates->set->name, "'");
  if (shape->nodes == 0 && map->dim < 3)
    fail(OP_ERR_DIM, "map '", object.label, "' has dim ", map->dim, ", but a ", shape->name, " has at least 3 nodes");
  if (shape->nodes != 0 && map->dim != shape->nodes)
    fail(OP_ERR_DIM, "map '", object.label, "' has dim ", map->dim, ", but a ", shape->name, " has ", shape->nodes,
         shape->nodes == 1 ? " node" : " nodes");
  if (shows(view, map->from))
    fail(OP_ERR_ARGUMENT, "view '", view.name, "' has the cells of set '", object.source().label, "' already");
  if (!view.series.empty())
    fail(OP_ERR_STATE, "view '", view.name, "' has been written as a step of a series; declare another view");
  return *shape;
}

std::string need_field(Mesh &mesh, const op_view_core &view, op_dat dat, const char *name) {
  const Dat &object = mesh.objects().dat(dat, "the dat of the field");
  const std::string shown = name ? name : object.label;
  need_field_name(shown);
  if (!object.element.builtin())
    fail(OP_ERR_TYPE, "dat '", object.label, "' has type ", object.type_label, "; fields have ", builtin_type_names());
  if (dat->set != view.coordinates->set && !shows(view, dat->set)) need_ways(mesh, view, object);
  for (const ViewField &field : view.fields)
    if (field.name == shown) need_part(mesh, view, field, object);
  return shown;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
