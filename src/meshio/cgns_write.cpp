// Meshes written to CGNS files: the lists of each zone go to plugin mesh_cgns, which makes the file of them.
#include <algorithm>
#include <map>

#include "meshfile/vtk/mesh_piece.hpp"
#include "meshio/mesh_files.hpp"

namespace op2::core {

namespace {

std::vector<MeshPiece> zones_of(const MeshModel &model, const std::string &title) {
  std::vector<MeshPiece> out;
  try {
    for (int part = model.parts() > 0 ? 0 : -1; part < model.parts(); ++part)
      if (MeshPiece piece = mesh_piece(model, part); !piece.types.empty()) {
        all_by_faces(piece); // other programs refuse zones of both kinds
        out.push_back(std::move(piece));
      }
  } catch (const Error &error) {
    fail(error.code, title, ": ", error.what());
  }
  if (out.empty()) fail(OP_ERR_UNSUPPORTED, title, ": a CGNS file cannot hold a mesh without cells");
  return out;
}

// Zone01 ... Zone12, so that they stand in this order in programs that sort them.
std::string zone_name(std::size_t zone, std::size_t zones) {
  if (zones == 1) return "Zone";
  const std::string number = std::to_string(zone + 1), last = std::to_string(zones);
  return text("Zone", std::string(last.size() - number.size(), '0'), number);
}

// Patches have a name in CGNS, and those of one name are one.
class PatchNames {
 public:
  explicit PatchNames(std::vector<Patch> patches) {
    std::stable_sort(patches.begin(), patches.end(), [](const Patch &a, const Patch &b) { return a.id < b.id; });
    std::map<std::string, int> places;
    for (const Patch &patch : patches) {
      const std::string name = patch.name.empty() ? text("patch", patch.id) : patch.name;
      const auto [place, is_new] = places.try_emplace(name, static_cast<int>(names_.size()) + 1);
      if (is_new) names_.push_back(name);
      places_.try_emplace(patch.id, place->second);
    }
  }
  const std::vector<std::string> &names() const { return names_; }
  // The place of each patch of a list, from 1; 0 for none.
  std::vector<int> places(const std::vector<std::int32_t> &patches) const {
    std::vector<int> out;
    for (const std::int32_t id : patches) out.push_back(id == no_patch ? 0 : places_.at(id));
    return out;
  }

 private:
  std::vector<std::string> names_;
  std::map<int, int> places_;
};

template <class T>
void put(OpenFile &file, const std::string &name, op_type_id type, const std::vector<T> &values, int dim = 1) {
  const auto rows = static_cast<std::int64_t>(values.size()) / dim;
  file.create(name, {rows, dim, builtin_type(type), dim == 1 ? 1 : 2});
  file.write_rows(name, 0, rows, type, values.data());
}

void put_zone(OpenFile &file, std::size_t number, const MeshPiece &zone, const PatchNames &patches) {
  const auto name = [number](const char *array) { return text(number, "/", array); };
  put(file, name("points"), OP_TYPE_DOUBLE, zone.points, 3);
  put(file, name("nodes"), OP_TYPE_LL, zone.nodes);
  put(file, name("ends"), OP_TYPE_LL, zone.ends);
  put(file, name("faces"), OP_TYPE_LL, zone.faces);
  put(file, name("face_ends"), OP_TYPE_LL, zone.face_ends);
  put(file, name("types"), OP_TYPE_INT, std::vector<int>(zone.types.begin(), zone.types.end()));
  put(file, name("patch"), OP_TYPE_INT, patches.places(zone.patches));
}

std::vector<std::int64_t> links_of(const std::vector<MeshPiece> &zones) {
  std::vector<std::int64_t> out;
  for (const PointLink &link : shared_points(zones))
    out.insert(out.end(), {link.piece, link.point, link.other, link.other_point});
  return out;
}

// What they take in a file at most: numbers of 8 bytes, faces with their nodes and cells; and what HDF5 keeps of each
// node of CGNS.
std::int64_t room_of(const std::vector<MeshPiece> &zones, const std::vector<std::int64_t> &links, std::size_t patches) {
  constexpr std::size_t node = 1024, of_zone = 32, of_patch = 13, of_connection = 5;
  std::size_t numbers = links.size(), nodes = zones.size() * (of_zone + of_patch * patches);
  for (const MeshPiece &zone : zones)
    numbers += zone.points.size() + zone.nodes.size() + 2 * zone.faces.size() + zone.ends.size();
  for (std::size_t i = 0; i < links.size(); i += 4)
    if (i == 0 || links[i] != links[i - 4] || links[i + 2] != links[i - 2]) nodes += of_connection;
  return static_cast<std::int64_t>(8 * numbers + node * nodes);
}

// What process 0 writes; the others have none of it.
struct Contents {
  std::vector<MeshPiece> zones;
  std::vector<std::int64_t> links;
  std::int64_t room = 0;
};

Contents contents_of(const MeshModel &model, const std::string &title, std::size_t patches) {
  Contents out;
  out.zones = zones_of(model, title);
  out.links = links_of(out.zones);
  out.room = room_of(out.zones, out.links, patches);
  return out;
}

} // namespace

void write_mesh_cgns(Files &files, const MeshModel &model, const std::string &path) {
  files.get_ready(); // HDF5 is for one thread, and what is written in the background may be this file
  const std::string title = text("file '", path, "'");
  const PatchNames patches(model.file().patches);
  const Driver *driver = nullptr;
  const Contents all = files.mesh().agreement().together(text("a mesh to ", title), [&] {
    driver = &files.driver("mesh_cgns");
    return files.mesh().communicator().rank() == 0 ? contents_of(model, title, patches.names().size()) : Contents();
  });
  FileWriter writer(files, {{driver, false}}, path, FileWriter::Mode::replace, all.room);
  writer.step("its patches", [&](OpenFile &file) {
    for (std::size_t i = 0; i < patches.names().size(); ++i)
      file.write_text("", text("patch", i + 1).c_str(), patches.names()[i]);
  });
  writer.step("its zones", [&](OpenFile &file) {
    for (std::size_t i = 0; i < all.zones.size(); ++i) {
      file.write_text("", text("zone", i).c_str(), zone_name(i, all.zones.size()));
      put_zone(file, i, all.zones[i], patches);
    }
    put(file, "links", OP_TYPE_LL, all.links, 4);
  });
  writer.commit();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
