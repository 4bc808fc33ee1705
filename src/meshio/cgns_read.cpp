// Meshes of CGNS files: plugin mesh_cgns gives lists of each zone, and here they become one mesh.
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "meshfile/join.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/vtk_common.hpp"
#include "meshio/mesh_files.hpp"

namespace op2::core {

namespace {

template <class T>
std::vector<T> cgns_values(OpenFile &file, const std::string &name, op_type_id type) {
  const FileArray array = file.describe(name);
  std::vector<T> out(static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.dim));
  file.read_rows(name, 0, array.rows, type, out.data());
  return out;
}

VtkGrid read_zone(OpenFile &file, std::size_t number) {
  VtkGrid out;
  const auto name = [number](const char *array) { return text(number, "/", array); };
  const std::vector<int> types = cgns_values<int>(file, name("types"), OP_TYPE_INT),
                         patch = cgns_values<int>(file, name("patch"), OP_TYPE_INT);
  out.points = cgns_values<double>(file, name("points"), OP_TYPE_DOUBLE);
  out.nodes = cgns_values<long long>(file, name("nodes"), OP_TYPE_LL);
  out.ends = cgns_values<long long>(file, name("ends"), OP_TYPE_LL);
  out.faces = cgns_values<long long>(file, name("faces"), OP_TYPE_LL);
  out.face_ends = cgns_values<long long>(file, name("face_ends"), OP_TYPE_LL);
  out.types.assign(types.begin(), types.end());
  out.cell_data.assign(patch.begin(), patch.end());
  return out;
}

// The texts WORD0, WORD1, ... of the file.
std::vector<std::string> texts(OpenFile &file, const char *word) {
  std::vector<std::string> out;
  try {
    for (int i = 0;; ++i) out.push_back(file.read_text("", text(word, i).c_str()));
  } catch (const Error &) { // that was the last one
  }
  return out;
}

// By the connections that the file has between its zones; without any, nodes in one place are one.
std::vector<int> join_zones(OpenFile &file, const std::string &path, std::span<const VtkPiece> zones,
                            std::vector<std::string> &notes) {
  if (zones.size() == 1 && file.describe("links").rows == 0) return {};
  const std::vector<long long> numbers = cgns_values<long long>(file, "links", OP_TYPE_LL);
  std::vector<PointLink> links;
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
    links.push_back({static_cast<int>(numbers[i]), numbers[i + 1], static_cast<int>(numbers[i + 2]), numbers[i + 3]});
  const std::vector<int> same = links.empty() ? join_points(path, zones) : join_linked(path, zones, links);
  const std::vector<int> starts = piece_starts(path, zones);
  std::vector<bool> joined(same.size());
  for (std::size_t i = 0; i < same.size(); ++i)
    if (same[i] != static_cast<int>(i)) joined[i] = joined[static_cast<std::size_t>(same[i])] = true;
  for (std::size_t zone = 0; zone < zones.size(); ++zone)
    if (std::find(joined.begin() + starts[zone], joined.begin() + starts[zone + 1], true) ==
        joined.begin() + starts[zone + 1])
      notes.push_back(text(zones[zone].in.file(), ": it has no node in common with other zones"));
  return same;
}

} // namespace

MeshFile read_mesh_cgns(Files &files, const std::string &path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(OP_ERR_FILE, path, ": No such file or directory");
  OpenFile file(files.driver("mesh_cgns"), path, path, OP_IO_READ, FileGroup());
  const std::vector<std::string> names = texts(file, "zone");
  std::vector<VtkPiece> zones;
  for (std::size_t i = 0; i < names.size(); ++i)
    zones.push_back({Cursor({}, names.size() == 1 ? path : text(path, ", zone ", names[i])), read_zone(file, i)});
  std::vector<std::string> notes = texts(file, "note");
  const std::vector<int> same = join_zones(file, path, zones, notes);
  MeshFile out = vtk_mesh(zones, same, "cgns");
  for (Patch &patch : out.patches) patch.name = file.read_text("", text("patch", patch.id).c_str());
  out.notes.insert(out.notes.end(), notes.begin(), notes.end());
  check_numbers(out, path);
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
