// The door of meshfile.h.
#include "op2/meshfile.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "api/declare.hpp"
#include "api/guard.hpp"
#include "api/mesh_cgns.hpp"
#include "api/mesh_divide.hpp"
#include "api/mesh_hdf5.hpp"
#include "api/mesh_vtk.hpp"
#include "meshfile/model.hpp"
#include "meshfile/read.hpp"

using namespace op2::core;

struct op_mesh_core {
  explicit op_mesh_core(MeshFile file) : model(std::move(file)) {}

  MeshModel model;
  std::string text; // of the last question
  std::map<std::string, op_set, std::less<>> sets;
  std::map<std::string, op_map, std::less<>> maps;
  std::map<std::string, op_dat, std::less<>> dats;
  bool declared = false;
};

namespace {

// All meshes that live, so that a handle can be told from any other pointer.
class LiveMeshes {
 public:
  op_mesh add(std::unique_ptr<op_mesh_core> mesh) {
    const std::lock_guard lock(mutex_);
    const op_mesh out = mesh.get();
    all_[out] = std::move(mesh);
    return out;
  }
  void remove(op_mesh mesh) {
    const std::lock_guard lock(mutex_);
    if (all_.erase(mesh) == 0) refuse(mesh);
  }
  op_mesh_core &get(op_mesh mesh) {
    const std::lock_guard lock(mutex_);
    if (all_.count(mesh) == 0) refuse(mesh);
    return *mesh;
  }

 private:
  [[noreturn]] static void refuse(op_mesh mesh) {
    fail(OP_ERR_HANDLE, mesh ? "the handle is no mesh, or one that was freed" : "the mesh is NULL",
         "; op_mesh_read() gives one");
  }

  std::mutex mutex_;
  std::map<op_mesh, std::unique_ptr<op_mesh_core>> all_;
};

LiveMeshes &meshes() {
  static LiveMeshes all;
  return all;
}

op_mesh_core &mesh_of(op_mesh mesh) { return meshes().get(mesh); }

const char *name_of(const char *name, const char *argument) {
  if (!name) fail(OP_ERR_ARGUMENT, "argument '", argument, "' is NULL");
  return name;
}

template <class Named>
[[noreturn]] void no_such(const char *what, const char *name, const std::vector<Named> &all) {
  std::vector<std::string> names;
  for (const Named &one : all) names.push_back(one.name);
  fail(OP_ERR_ARGUMENT, "the mesh has no ", what, " '", name, "'; it has ", listing(names));
}

const MeshArray &array_of(op_mesh_core &mesh, const char *name, bool reals, int *rows, int *dim) {
  const MeshArray *found = mesh.model.find_array(name_of(name, "name"));
  if (!found) no_such("array", name, mesh.model.arrays());
  if (reals ? !found->ints.empty() : !found->reals.empty())
    fail(OP_ERR_ARGUMENT, "array '", name, "' holds ", reals ? "whole" : "real", " numbers; use op_mesh_",
         reals ? "ints" : "reals", "()");
  if (rows) *rows = found->rows();
  if (dim) *dim = found->dim;
  return *found;
}

int copy_text(const std::string &from, char *buffer, size_t capacity) {
  if (buffer && capacity > 0) {
    const size_t length = std::min(from.size(), capacity - 1);
    std::memcpy(buffer, from.data(), length);
    buffer[length] = '\0';
  }
  return static_cast<int>(from.size());
}

// The rows that this process declares of so many.
struct MeshBlock {
  MeshBlock(int rows, int rank, int size)
      : first(static_cast<std::size_t>(static_cast<long long>(rows) * rank / size)),
        count(static_cast<int>(static_cast<long long>(rows) * (rank + 1) / size - static_cast<long long>(first))) {}

  std::size_t first;
  int count;
};

// Each process a part, or what OP2_DECLARE says: each of them everything, or process 0.
void declare_all(op_mesh_core &mesh) {
  const Communicator &communicator = *session().communicator;
  const Declare way = session().mesh->declare().mode();
  const bool whole = way == Declare::replicated || way == Declare::root;
  const int rank = whole ? 0 : communicator.rank(), size = whole ? 1 : communicator.size();
  const bool counts = way != Declare::root || communicator.rank() == 0;
  for (const MeshSet &set : mesh.model.sets())
    mesh.sets[set.name] = declare_set(counts ? MeshBlock(set.size, rank, size).count : 0, set.name.c_str());
  for (const MeshArray &array : mesh.model.arrays()) {
    const op_set set = mesh.sets.at(array.set);
    const std::size_t first =
        MeshBlock(mesh.model.find_set(array.set)->size, rank, size).first * static_cast<std::size_t>(array.dim);
    if (!array.to.empty())
      mesh.maps[array.name] =
          declare_map(set, mesh.sets.at(array.to), array.dim, array.ints.data() + first, array.name.c_str());
    else if (!array.reals.empty())
      mesh.dats[array.name] =
          declare_dat(set, array.dim, "double", 0, array.reals.data() + first, array.name.c_str(), false);
    else
      mesh.dats[array.name] =
          declare_dat(set, array.dim, "int", 0, array.ints.data() + first, array.name.c_str(), false);
  }
  mesh.declared = true;
}

template <class Handle>
Handle find_declared(const op_mesh_core &mesh, const std::map<std::string, Handle, std::less<>> &all, const char *what,
                     const char *name) {
  session(); // or the reason why there is none
  name_of(name, "name");
  if (!mesh.declared) fail(OP_ERR_STATE, "nothing was declared of this mesh; call op_mesh_declare() first");
  const auto found = all.find(name);
  if (found == all.end()) fail(OP_ERR_ARGUMENT, "the mesh has no ", what, " '", name, "'");
  return found->second;
}

// Numbers that are not NULL even when there are none.
template <class T>
const T *data_of(std::span<T> values) {
  static const T nothing{};
  return values.empty() ? &nothing : values.data();
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
    *mesh = meshes().add(std::make_unique<op_mesh_core>(is_mesh_cgns(path, kind)   ? read_mesh_cgns(path)
                                                        : is_mesh_hdf5(path, kind) ? read_mesh_hdf5(path)
                                                                                   : read_mesh(path, kind)));
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
  return guarded_value("op_mesh_size", -1, [&] {
    op_mesh_core &of = mesh_of(mesh);
    const MeshSet *found = of.model.find_set(name_of(set, "set"));
    if (!found && std::string_view(set) == "patches") return static_cast<int>(of.model.patches().size());
    if (!found) no_such("set", set, of.model.sets());
    return found->size;
  });
}

const int *op_mesh_ints(op_mesh mesh, const char *name, int *rows, int *dim) {
  return guarded_value<const int *>("op_mesh_ints", nullptr,
                                    [&] { return data_of(array_of(mesh_of(mesh), name, false, rows, dim).ints); });
}

const double *op_mesh_reals(op_mesh mesh, const char *name, int *rows, int *dim) {
  return guarded_value<const double *>("op_mesh_reals", nullptr,
                                       [&] { return data_of(array_of(mesh_of(mesh), name, true, rows, dim).reals); });
}

const char *op_mesh_patch(op_mesh mesh, int index, int *id) {
  return guarded_value<const char *>("op_mesh_patch", nullptr, [&]() -> const char * {
    const std::vector<Patch> &all = mesh_of(mesh).model.patches();
    if (index < 0 || static_cast<std::size_t>(index) >= all.size())
      fail(OP_ERR_RANGE, "index ", index, " is none of the ", all.size(), " patches, counted from 0");
    const Patch &patch = all[static_cast<std::size_t>(index)];
    if (id) *id = patch.id;
    return patch.name.c_str();
  });
}

int op_mesh_info(op_mesh mesh, char *buffer, size_t capacity) {
  return guarded_value("op_mesh_info", -1, [&] {
    op_mesh_core &of = mesh_of(mesh);
    of.text = of.model.info();
    return copy_text(of.text, buffer, capacity);
  });
}

int op_mesh_check(op_mesh mesh, char *buffer, size_t capacity) {
  return guarded_value("op_mesh_check", -1, [&] {
    op_mesh_core &of = mesh_of(mesh);
    of.text.clear();
    for (const std::string &finding : of.model.findings()) of.text += finding + "\n";
    return copy_text(of.text, buffer, capacity);
  });
}

op_status op_mesh_reorder(op_mesh mesh, const char *set, const idx_l_t *order) {
  return guarded("op_mesh_reorder", [&] {
    op_mesh_core &of = mesh_of(mesh);
    const MeshSet *found = of.model.find_set(name_of(set, "set"));
    if (!found) no_such("set", set, of.model.sets());
    if (!order) fail(OP_ERR_ARGUMENT, "argument 'order' is NULL");
    of.model.reorder(*found, {order, static_cast<std::size_t>(found->size)});
  });
}

op_status op_mesh_divide(op_mesh mesh, int parts) {
  return guarded("op_mesh_divide", [&] {
    Session &current = session();
    op_mesh_core &of = mesh_of(mesh);
    of.model.set_parts(parts, divide_mesh(current, of.model, parts));
  });
}

op_status op_mesh_dump(op_mesh mesh, const char *file) {
  return guarded("op_mesh_dump", [&] {
    collectively([&](Mesh &objects) {
      const MeshModel &model = mesh_of(mesh).model;
      if (is_mesh_vtk(name_of(file, "file")))
        write_mesh_vtk(objects, model, file);
      else if (is_mesh_cgns(file))
        write_mesh_cgns(*session().files, model, file);
      else
        write_mesh_hdf5(*session().files, model, file);
    });
  });
}

op_status op_mesh_declare(op_mesh mesh) {
  return guarded("op_mesh_declare", [&] { collectively([&](Mesh &) { declare_all(mesh_of(mesh)); }); });
}

op_set op_mesh_set(op_mesh mesh, const char *name) {
  return guarded_value<op_set>("op_mesh_set", nullptr, [&] {
    const op_mesh_core &of = mesh_of(mesh);
    return find_declared(of, of.sets, "set", name);
  });
}

op_map op_mesh_map(op_mesh mesh, const char *name) {
  return guarded_value<op_map>("op_mesh_map", nullptr, [&] {
    const op_mesh_core &of = mesh_of(mesh);
    return find_declared(of, of.maps, "map", name);
  });
}

op_dat op_mesh_dat(op_mesh mesh, const char *name) {
  return guarded_value<op_dat>("op_mesh_dat", nullptr, [&] {
    const op_mesh_core &of = mesh_of(mesh);
    return find_declared(of, of.dats, "dat", name);
  });
}
