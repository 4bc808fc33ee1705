#include "meshio/declared_mesh.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "distributed/redistribute/compose.hpp"

namespace op2::core {

namespace {

// The rows that this process declares of so many.
struct MeshBlock {
  MeshBlock(int rows, int rank, int size)
      : first(static_cast<std::size_t>(static_cast<long long>(rows) * rank / size)),
        count(static_cast<int>(static_cast<long long>(rows) * (rank + 1) / size - static_cast<long long>(first))) {}

  std::size_t first;
  int count;
};

// Which rows of a table that all processes have each of them declares, as OP2_DECLARE says.
class MeshParts {
 public:
  explicit MeshParts(const Mesh &mesh) : way_(mesh.declare().mode()), own_(mesh.communicator().rank()) {
    const bool whole = way_ == Declare::replicated || way_ == Declare::root;
    rank_ = whole ? 0 : own_;
    size_ = whole ? 1 : mesh.communicator().size();
  }

  bool divides() const { return size_ > 1; }
  std::size_t first(int rows) const { return MeshBlock(rows, rank_, size_).first; }
  int count(int rows) const { return way_ != Declare::root || own_ == 0 ? MeshBlock(rows, rank_, size_).count : 0; }

 private:
  Declare way_;
  int own_, rank_, size_;
};

// Declares a map from entries that count from 0, where the program's own maps may count from 1.
Map &declare_map(Mesh &mesh, op_set from, op_set to, int dim, const int *entries, const char *name) {
  Declarations &declare = mesh.declare();
  if (declare.map_base() == 0) return declare.map(from, to, dim, entries, name);
  const auto count = static_cast<std::size_t>(mesh.objects().set(from, "").passed) * static_cast<std::size_t>(dim);
  std::vector<int> counted(entries, entries + count);
  for (int &entry : counted) entry += declare.map_base();
  return declare.map(from, to, dim, counted.data(), name);
}

const char *boundary_set(const MeshModel &model) { return model.file().format == "airfoil" ? "bedges" : "bfaces"; }

// The numbers of the boundary faces of all patches of this name.
std::vector<int> faces_of(const MeshModel &model, const std::vector<int> &face_patch, std::string_view name) {
  std::vector<int> ids, out;
  for (const Patch &patch : model.patches_named(name)) ids.push_back(patch.id);
  for (std::size_t i = 0; i < face_patch.size(); ++i)
    if (std::ranges::find(ids, face_patch[i]) != ids.end()) out.push_back(static_cast<int>(i));
  return out;
}

} // namespace

void declare_mesh(Mesh &mesh, const MeshModel &model, DeclaredMesh &out) {
  // As where a mesh comes from a file of HDF5: such a program means parts of it, unless it says otherwise.
  if (mesh.communicator().size() > 1 && mesh.declare().mode() == Declare::automatic && mesh.objects().sets().empty())
    mesh.declare().set_mode(Declare::local);
  const MeshParts parts(mesh);
  for (const MeshSet &set : model.sets()) {
    Set &declared = mesh.declare().set(parts.count(set.size), set.name.c_str());
    declared.divided_for_program = parts.divides();
    out.sets[set.name] = &declared;
  }
  // These sets are in no parts yet, so the mesh takes values of dats as they are.
  for (const MeshArray &array : model.arrays()) {
    const op_set set = out.sets.at(array.set);
    const char *const name = array.name.c_str();
    const std::size_t at = parts.first(model.set(array.set).size) * static_cast<std::size_t>(array.dim);
    if (!array.to.empty())
      out.maps[name] = &declare_map(mesh, set, out.sets.at(array.to), array.dim, array.ints.data() + at, name);
    else if (!array.reals.empty())
      out.dats[name] = &mesh.declare().dat(set, array.dim, "double", 0, array.reals.data() + at, name, false);
    else
      out.dats[name] = &mesh.declare().dat(set, array.dim, "int", 0, array.ints.data() + at, name, false);
  }
  out.patches.clear();
  out.face_patch = model.faces().boundary_patch;
  out.complete = true;
}

const DeclaredMesh::OfPatch &declare_patch(Mesh &mesh, const MeshModel &model, DeclaredMesh &out,
                                           std::string_view name) {
  mesh.agreement().agree(text("the faces of patch '", name, "'"));
  if (!out.complete) fail(OP_ERR_STATE, "nothing was declared of this mesh; call op_mesh_declare() first");
  if (const auto known = out.patches.find(name); known != out.patches.end()) return known->second;
  const std::vector<int> faces = faces_of(model, out.face_patch, name);
  const MeshParts parts(mesh);
  const auto rows = static_cast<int>(faces.size());
  const std::string label = text("patch_", name), all = boundary_set(model);
  DeclaredMesh::OfPatch made;
  Set &declared = mesh.declare().set(parts.count(rows), label.c_str());
  declared.divided_for_program = parts.divides();
  made.set = &declared;
  const op_map same = &declare_map(mesh, made.set, out.sets.at(all), 1, faces.data() + parts.first(rows),
                                   text(label, "_", all).c_str());
  made.maps[all] = same;
  for (const MeshArray &array : model.arrays())
    if (array.set == all && !array.to.empty())
      made.maps[array.to] = &compose_maps(mesh, same, out.maps.at(array.name), text(label, "_", array.to).c_str());
  return out.patches.emplace(std::string(name), std::move(made)).first->second;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
