// OpenFOAM's polyMesh: points, faces given by their nodes, and for each face its owner and neighbour; text or binary.
#include <algorithm>
#include <map>
#include <optional>

#include "meshfile/formats/foam_file.hpp"
#include "meshfile/read.hpp"
#include "meshfile/repeated.hpp"

namespace op2::core {

namespace {

struct FoamPatch {
  std::string name, type;
  std::vector<std::string> groups;
  std::size_t first = 0, faces = 0;
};

// name { nFaces 12; startFace 30; ... }
FoamPatch read_patch(FoamFile &file, Cursor &in) {
  FoamPatch out;
  out.name = file.name("the name of a patch");
  std::optional<int> first, faces;
  file.dictionary([&](const std::string &key) {
    if (key == "nFaces")
      faces = in.number("a number of faces", 0, 2147483647LL);
    else if (key == "startFace")
      first = in.number("the number of a face", 0, 2147483647LL);
    else if (key == "type")
      out.type = file.word("the type of a patch");
    else if (key == "inGroups" && std::string_view("(L0123456789").find(in.peek()) != std::string_view::npos)
      file.list("the number of groups", 2, [&] { out.groups.push_back(file.word("the name of a group")); });
    else
      return false;
    in.expect(";");
    return true;
  });
  if (!first || !faces) in.fail_here(text("patch ", out.name, " lacks nFaces or startFace"));
  out.first = static_cast<std::size_t>(*first);
  out.faces = static_cast<std::size_t>(*faces);
  return out;
}

// Groups of patches, but for those that are called as the type of their patches, as OpenFOAM adds them by itself.
void note_groups(MeshFile &mesh, const std::vector<FoamPatch> &patches) {
  std::map<std::string, std::size_t> faces;
  for (const FoamPatch &patch : patches)
    for (const std::string &group : patch.groups)
      if (group != patch.type) faces[group] += patch.faces;
  for (const auto &[group, count] : faces)
    mesh.notes.push_back(text("group ", group, " of patches with ", count, " faces is left out: the patches are kept"));
}

// Boundary faces belong to the first patch that names them; those of none stay without.
void set_patches(MeshFile &mesh, const std::vector<FoamPatch> &patches, std::size_t interior, const Cursor &in) {
  const std::size_t faces = mesh.faces.left.size();
  std::vector<int> at(faces - interior, -1);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const FoamPatch &patch = patches[i];
    if (patch.faces > 0 && (patch.first < interior || patch.first + patch.faces > faces))
      in.fail_here(text("patch ", patch.name, " has faces from ", patch.first, " to ", patch.first + patch.faces,
                        "; the mesh has boundary faces from ", interior, " to ", faces));
    mesh.patches.push_back({static_cast<int>(i), patch.name});
    std::map<int, int> others; // patches that have some of its faces before: how many
    for (std::size_t k = 0; k < patch.faces; ++k)
      if (int &of = at[patch.first + k - interior]; of < 0)
        of = static_cast<int>(i);
      else
        ++others[of];
    for (const auto &[other, count] : others) note_shared(mesh, i, static_cast<std::size_t>(other), count);
  }
  const bool unnamed = std::any_of(at.begin(), at.end(), [](int patch) { return patch < 0; });
  const int none = unnamed ? mesh.patch(-1, "none") : -1;
  std::replace(at.begin(), at.end(), -1, none);
  mesh.boundary_patch = std::move(at);
}

} // namespace

MeshFile read_openfoam(OpenFoamFiles files) {
  MeshFile mesh;
  mesh.format = "openfoam";
  FoamFile(files.points).points(mesh.x);
  FoamFile(files.faces).faces(mesh.faces.nodes, mesh.nodes());
  const int most = std::max(mesh.faces.nodes.size() - 1, 0); // a cell has a face at least
  const auto faces = static_cast<std::size_t>(mesh.faces.nodes.size());
  FoamFile(files.owner).labels(mesh.faces.left, "the owner of a face", 0, most, faces);
  FoamFile(files.neighbour).labels(mesh.faces.right, "the neighbour of a face", -1, most, faces);
  if (mesh.faces.left.size() != faces)
    files.owner.fail_here(text("expected an owner for each of ", faces, " faces, found ", mesh.faces.left.size()));
  std::vector<int> &right = mesh.faces.right;
  while (right.size() > 0 && right.size() <= faces && right.back() == -1)
    right.pop_back(); // older files have all faces
  if (right.size() > faces)
    files.neighbour.fail_here(text("expected at most ", faces, " neighbours, found ", right.size()));
  if (const auto none = std::find(right.begin(), right.end(), -1); none != right.end())
    files.neighbour.fail_here(text("entry ", none - right.begin(), " is -1, but other faces with neighbours follow"));
  int last = -1;
  for (const int cell : mesh.faces.left) last = std::max(last, cell);
  for (const int cell : right) last = std::max(last, cell);
  CellBlock &cells = mesh.block(CellType::polyhedron);
  mesh.cells = last + 1;
  for (int i = 0; i < mesh.cells; ++i) cells.cells.push_back(i);
  FoamFile boundary(files.boundary);
  std::vector<FoamPatch> patches;
  boundary.list("the number of patches", 8, [&] { patches.push_back(read_patch(boundary, files.boundary)); });
  set_patches(mesh, patches, right.size(), files.boundary);
  note_groups(mesh, patches);
  return mesh;
}

void note_openfoam_zones(MeshFile &mesh, Cursor in) {
  FoamFile file(in);
  file.list("the number of zones", 4, [&] {
    const std::string name = file.name("the name of a zone");
    file.dictionary([&](const std::string &key) {
      if (key.ends_with("Labels"))
        mesh.notes.push_back(
            text("zone ", name, " with ", file.count_labels(), " ", key.substr(0, key.size() - 6), "s is left out"));
      else if (key == "flipMap")
        file.skip_flags();
      else
        return false;
      in.expect(";");
      return true;
    });
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
