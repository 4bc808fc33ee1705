#include "meshio/mesh_files.hpp"

#include <array>
#include <fstream>

#include "meshfile/read.hpp"

namespace op2::core {

namespace {

bool is_mesh_cgns(const std::string &path, std::string_view format = "") {
  return format.empty() ? path.ends_with(".cgns") : format == "cgns";
}

} // namespace

bool is_mesh_hdf5(const std::string &path, std::string_view format) {
  if (!format.empty()) return format == "hdf5";
  std::array<char, 8> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == "\x89HDF\r\n\x1a\n";
}

MeshFile read_mesh_file(const std::string &path, std::string_view format, const std::function<Files &()> &files) {
  if (is_mesh_cgns(path, format)) return read_mesh_cgns(files(), path);
  if (!is_mesh_hdf5(path, format)) return read_mesh(path, format);
  Files &all = files();
  try {
    return read_mesh_hdf5(all, path);
  } catch (Error &error) {
    all.mesh().agreement().tell(error); // the others read the same file
    throw;
  }
}

void write_mesh_file(Files &files, const MeshModel &model, const std::string &path) {
  if (path.ends_with(".vtu") || path.ends_with(".pvtu"))
    write_mesh_vtk(files, model, path);
  else if (is_mesh_cgns(path))
    write_mesh_cgns(files, model, path);
  else
    write_mesh_hdf5(files, model, path);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
