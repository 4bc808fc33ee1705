// The door of view.h.
#include "op2/view.h"

#include <cmath>

#include "api/guard.hpp"
#include "io/view/view.hpp"
#include "io/view/view_files.hpp"

using namespace op2::core;

namespace {

Views &views() { return session().views; }

// A call about a view that all processes make alike; check(mesh, view) fails on all of them when it fails on one.
template <class Check>
op_view_core &need_view(const char *call, op_view view, Check &&check) {
  return collectively([&](Mesh &mesh) -> op_view_core & {
    op_view_core &object = views().find(view);
    const std::string what = check(mesh, object);
    mesh.agreement().agree(text(call, " of view '", object.name, "'", what));
    return object;
  });
}

std::string need_file(const char *file) {
  if (!file || !*file) fail(OP_ERR_ARGUMENT, "the file name is ", file ? "empty" : "NULL", "; name the file to write");
  need_view_format(file);
  return file;
}

} // namespace

op_view op_decl_view(op_dat coordinates, const char *name) {
  return guarded_value<op_view>("op_decl_view", nullptr, [&] {
    return collectively([&](Mesh &mesh) -> op_view {
      const Dat &dat = need_coordinates(mesh, coordinates, name);
      mesh.agreement().agree(text("op_decl_view of '", name, "' with coordinates '", dat.label, "'"));
      return &views().declare(coordinates, name);
    });
  });
}

op_status op_view_cells(op_view view, op_map map, op_cell_type type) {
  return guarded("op_view_cells", [&] {
    need_view("op_view_cells", view, [&](Mesh &mesh, const op_view_core &object) {
      const ViewShape &shape = need_cells(mesh, object, map, type);
      return text(", ", shape.name, "s of map '", map->name, "'");
    }).cells.push_back({map, find_shape(type)});
  });
}

op_status op_view_field(op_view view, op_dat dat, const char *name) {
  return guarded("op_view_field", [&] {
    std::string shown;
    need_view("op_view_field", view, [&](Mesh &mesh, const op_view_core &object) {
      shown = need_field(mesh, object, dat, name);
      return text(", field '", shown, "', dat '", dat->name, "'");
    }).fields.push_back({dat, shown});
  });
}

op_status op_write_view(op_view view, const char *file) {
  return guarded("op_write_view", [&] {
    op_view_core &object = need_view(
        "op_write_view", view, [&](Mesh &, const op_view_core &) { return text(", file '", need_file(file), "'"); });
    Session &current = session();
    current.async->settle();
    current.mesh->declare().settle();
    write_view(*current.mesh, *current.files, object, file);
  });
}

op_status op_write_view_step(op_view view, const char *file, double time) {
  return guarded("op_write_view_step", [&] {
    op_view_core &object = need_view("op_write_view_step", view, [&](Mesh &, const op_view_core &) {
      const std::string name = need_file(file);
      if (!std::isfinite(time)) fail(OP_ERR_ARGUMENT, "the time is ", time, "; steps have finite ones");
      return text(", file '", name, "', time ", number_text(time));
    });
    Session &current = session();
    current.async->settle();
    current.mesh->declare().settle();
    write_view_step(*current.mesh, *current.files, object, file, time);
  });
}

// SPDX-License-Identifier: MIT
