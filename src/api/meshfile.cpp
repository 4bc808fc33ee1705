// The door of meshfile.h.
#include "op2/meshfile.h"

#include <memory>

#include "api/guard.hpp"
#include "base/live.hpp"
#include "meshio/declared_mesh.hpp"
#include "meshio/divide.hpp"
#include "meshio/mesh_files.hpp"

using namespace op2::core;

struct op_mesh_core {
  explicit op_mesh_core(MeshFile file) : model(std::move(file)) {}

  MeshModel model;
  DeclaredMesh declared;
};

namespace {

Live<op_mesh_core> &meshes() {
  static Live<op_mesh_core> all("mesh", "op_mesh_read()");
  return all;
}

op_mesh_core &mesh_of(op_mesh mesh) { return meshes().get(mesh); }

const char *name_of(const char *name, const char *argument) {
  if (!name) fail(OP_ERR_ARGUMENT, "argument '", argument, "' is NULL");
  return name;
}

const MeshArray &array_of(op_mesh mesh, const char *name, bool reals, int *rows, int *dim) {
  const MeshArray &found = mesh_of(mesh).model.array(name_of(name, "name"), reals);
  if (rows) *rows = found.rows();
  if (dim) *dim = found.dim;
  return found;
}

// Numbers that are not NULL even when there are none.
template <class T>
const T *data_of(std::span<T> values) {
  static const T nothing{};
  return values.empty() ? &nothing : values.data();
}

template <class Handle>
Handle find_declared(op_mesh mesh, DeclaredMesh::ByName<Handle> DeclaredMesh::*all, const char *what,
                     const char *name) {
  const DeclaredMesh &of = mesh_of(mesh).declared;
  session(); // or the reason why there is none
  name_of(name, "name");
  if (!of.complete) fail(OP_ERR_STATE, "nothing was declared of this mesh; call op_mesh_declare() first");
  const auto found = (of.*all).find(name);
  if (found == (of.*all).end()) fail(OP_ERR_ARGUMENT, "the mesh has no ", what, " '", name, "'");
  return found->second;
}

// check() is of the other arguments: what is wrong with them on one process is an error on all.
template <class Check>
const DeclaredMesh::OfPatch &patch_of(op_mesh mesh, const char *patch, Check &&check) {
  return collectively([&](Mesh &objects) -> const DeclaredMesh::OfPatch & {
    op_mesh_core &of = mesh_of(mesh);
    name_of(patch, "patch");
    check();
    return declare_patch(objects, of.model, of.declared, patch);
  });
}

} // namespace

op_status op_mesh_read(const char *path, const char *format, op_mesh *mesh) {
  return guarded("op_mesh_read", [&] {
    const std::string_view kind = format ? format : "";
    const auto check = [&] {
      if (!mesh) fail(OP_ERR_ARGUMENT, "argument 'mesh' is NULL; it receives the mesh");
      *mesh = nullptr;
      name_of(path, "path");
    };
    // What is written in the background may be this file, and HDF5 is for one thread.
    if (Session *const current = current_session(); current && on_control_thread()) current->async->finish();
    if (path && is_mesh_hdf5(path, kind))
      collectively([&](Mesh &) { check(); });
    else
      check();
    const auto files = []() -> Files & { return *session().files; };
    *mesh = meshes().add(std::make_unique<op_mesh_core>(read_mesh_file(path, kind, files)));
  });
}

op_status op_mesh_free(op_mesh mesh) {
  return guarded("op_mesh_free", [&] {
    if (mesh) meshes().remove(mesh);
  });
}

op_status op_mesh_scale(op_mesh mesh, double factor) {
  return guarded("op_mesh_scale", [&] { mesh_of(mesh).model.scale(factor); });
}

int op_mesh_size(op_mesh mesh, const char *set) {
  return guarded_value("op_mesh_size", -1, [&] { return mesh_of(mesh).model.size(name_of(set, "set")); });
}

const int *op_mesh_ints(op_mesh mesh, const char *name, int *rows, int *dim) {
  return guarded_value<const int *>("op_mesh_ints", nullptr,
                                    [&] { return data_of(array_of(mesh, name, false, rows, dim).ints); });
}

const double *op_mesh_reals(op_mesh mesh, const char *name, int *rows, int *dim) {
  return guarded_value<const double *>("op_mesh_reals", nullptr,
                                       [&] { return data_of(array_of(mesh, name, true, rows, dim).reals); });
}

const char *op_mesh_patch(op_mesh mesh, int index, int *id) {
  return guarded_value<const char *>("op_mesh_patch", nullptr, [&] {
    const Patch &patch = mesh_of(mesh).model.patch(index);
    if (id) *id = patch.id;
    return patch.name.c_str();
  });
}

int op_mesh_info(op_mesh mesh, char *buffer, size_t capacity) {
  return guarded_value("op_mesh_info", -1, [&] { return copy_text(mesh_of(mesh).model.info(), buffer, capacity); });
}

int op_mesh_check(op_mesh mesh, char *buffer, size_t capacity) {
  return guarded_value("op_mesh_check", -1, [&] {
    std::string all;
    for (const std::string &finding : mesh_of(mesh).model.findings()) all += finding + "\n";
    return copy_text(all, buffer, capacity);
  });
}

op_status op_mesh_reorder(op_mesh mesh, const char *set, const op_index *order) {
  return guarded("op_mesh_reorder", [&] {
    op_mesh_core &of = mesh_of(mesh);
    const MeshSet &found = of.model.set(name_of(set, "set"));
    if (!order) fail(OP_ERR_ARGUMENT, "argument 'order' is NULL");
    of.model.reorder(found, {order, static_cast<std::size_t>(found.size)});
  });
}

op_status op_mesh_divide(op_mesh mesh, int parts) {
  return guarded("op_mesh_divide", [&] {
    Session &here = session();
    MeshModel &model = mesh_of(mesh).model;
    model.set_parts(parts, divide_mesh(model, parts, here.registry, here.services, *here.communicator, here.log));
  });
}

op_status op_mesh_dump(op_mesh mesh, const char *file) {
  return guarded("op_mesh_dump", [&] {
    collectively([&](Mesh &) {
      const MeshModel &model = mesh_of(mesh).model;
      write_mesh_file(*session().files, model, name_of(file, "file"));
    });
  });
}

op_status op_mesh_declare(op_mesh mesh) {
  return guarded("op_mesh_declare", [&] {
    collectively([&](Mesh &objects) {
      op_mesh_core &of = mesh_of(mesh);
      declare_mesh(objects, of.model, of.declared);
    });
  });
}

op_set op_mesh_set(op_mesh mesh, const char *name) {
  return guarded_value<op_set>("op_mesh_set", nullptr,
                               [&] { return find_declared<op_set>(mesh, &DeclaredMesh::sets, "set", name); });
}

op_set op_mesh_patch_set(op_mesh mesh, const char *patch) {
  return guarded_value<op_set>("op_mesh_patch_set", nullptr, [&] { return patch_of(mesh, patch, [] {}).set; });
}

op_map op_mesh_patch_map(op_mesh mesh, const char *patch, const char *to) {
  return guarded_value<op_map>("op_mesh_patch_map", nullptr, [&] {
    const DeclaredMesh::OfPatch &found = patch_of(mesh, patch, [&] { name_of(to, "to"); });
    const std::string_view target = to;
    const auto map = found.maps.find(target == "bfaces" && found.maps.count("bedges") > 0 ? "bedges" : target);
    if (map == found.maps.end()) {
      std::vector<std::string> names;
      for (const auto &[name, handle] : found.maps) names.push_back(name);
      fail(OP_ERR_ARGUMENT, "no map leads from the faces of a patch to '", target, "'; there are maps to ",
           listing(names));
    }
    return map->second;
  });
}

op_map op_mesh_map(op_mesh mesh, const char *name) {
  return guarded_value<op_map>("op_mesh_map", nullptr,
                               [&] { return find_declared<op_map>(mesh, &DeclaredMesh::maps, "map", name); });
}

op_dat op_mesh_dat(op_mesh mesh, const char *name) {
  return guarded_value<op_dat>("op_mesh_dat", nullptr,
                               [&] { return find_declared<op_dat>(mesh, &DeclaredMesh::dats, "dat", name); });
}

// SPDX-License-Identifier: MIT
