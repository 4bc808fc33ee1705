#include "api/mesh_cgns.hpp"

#include <filesystem>

#include "api/guard.hpp"
#include "io/driver.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk_common.hpp"

namespace op2::core {

namespace {

template <class T>
std::vector<T> cgns_values(OpenFile &file, const char *name, op_type_id type) {
  const FileArray array = file.describe(name);
  std::vector<T> out(static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.dim));
  file.read_rows(name, 0, array.rows, type, out.data());
  return out;
}

VtkGrid read_cgns_grid(OpenFile &file) {
  VtkGrid out;
  const std::vector<int> types = cgns_values<int>(file, "types", OP_TYPE_INT),
                         patch = cgns_values<int>(file, "patch", OP_TYPE_INT);
  out.points = cgns_values<double>(file, "points", OP_TYPE_DOUBLE);
  out.nodes = cgns_values<long long>(file, "nodes", OP_TYPE_LL);
  out.ends = cgns_values<long long>(file, "ends", OP_TYPE_LL);
  out.faces = cgns_values<long long>(file, "faces", OP_TYPE_LL);
  out.face_ends = cgns_values<long long>(file, "face_ends", OP_TYPE_LL);
  out.types.assign(types.begin(), types.end());
  out.cell_data.assign(patch.begin(), patch.end());
  return out;
}

} // namespace

bool is_mesh_cgns(const std::string &path, std::string_view format) {
  return format.empty() ? path.ends_with(".cgns") : format == "cgns";
}

MeshFile read_mesh_cgns(const std::string &path) {
  Session &current = session();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(OP_ERR_FILE, path, ": No such file or directory");
  const Driver driver(current.registry, current.services, "mesh_cgns");
  OpenFile file(driver, path, path, OP_IO_READ, FileGroup());
  MeshFile out = vtk_mesh(Cursor({}, path), read_cgns_grid(file), "cgns");
  for (Patch &patch : out.patches) patch.name = file.read_text("", text("patch", patch.id).c_str());
  try {
    for (int i = 0;; ++i) out.notes.push_back(file.read_text("", text("note", i).c_str()));
  } catch (const Error &) { // that was the last one
  }
  check_numbers(out, path);
  return out;
}

} // namespace op2::core
