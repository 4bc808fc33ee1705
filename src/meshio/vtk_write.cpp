// Meshes written to files of VTK's XML format.
#include <filesystem>

#include "io/place.hpp"
#include "io/view/xdmf.hpp"
#include "meshfile/vtk/write_vtu.hpp"
#include "meshio/mesh_files.hpp"

namespace op2::core {

namespace {

void write_parts(const MeshModel &model, const std::string &path) {
  const std::filesystem::path stem = std::filesystem::path(path).replace_extension();
  std::vector<std::string> names;
  for (int part = 0; part < std::max(model.parts(), 1); ++part) {
    const std::string end = text("_", part, ".vtu");
    write_new_file(stem.string() + end, vtu_bytes(model, model.parts() > 0 ? part : -1));
    names.push_back(xml_text(stem.filename().string() + end));
  }
  write_new_file(path, pvtu_bytes(names, model.parts() > 0)); // which names files that are complete
}

} // namespace

void write_mesh_vtk(Files &files, const MeshModel &model, const std::string &path) {
  Mesh &mesh = files.mesh();
  mesh.agreement().together(text("a mesh to file '", path, "'"), [&] {
    if (mesh.communicator().rank() != 0) return 0;
    if (path.ends_with(".pvtu"))
      write_parts(model, path);
    else
      write_new_file(path, vtu_bytes(model));
    return 0;
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
