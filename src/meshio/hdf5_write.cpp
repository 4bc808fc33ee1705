// Meshes written to HDF5 files in OP2's layout.
#include <algorithm>
#include <array>
#include <cmath>

#include "io/op2_layout.hpp"
#include "meshio/mesh_files.hpp"

namespace op2::core {

namespace {

// HDF5 has no attributes above 64 KiB, which their other parts share.
constexpr std::size_t patches_most = 60000;

// "0 frontBack\n1 inlet\n"
std::string patch_text(const std::vector<Patch> &patches) {
  std::string out;
  for (const Patch &patch : patches) out += text(patch.id, " ", patch.name, "\n");
  return out;
}

// Pieces that fit, divided behind lines where that can be.
std::vector<std::string> patch_pieces(std::string_view all) {
  std::vector<std::string> out;
  do {
    std::size_t length = std::min(all.size(), patches_most);
    if (const std::size_t line = all.rfind('\n', length - 1); length < all.size() && line != all.npos)
      length = line + 1;
    out.emplace_back(all.substr(0, length));
    all.remove_prefix(length);
  } while (!all.empty());
  return out;
}

void put_int(OpenFile &file, const std::string &name, const char *key, int value) {
  file.write_attribute(name, key, OP_TYPE_INT, 1, &value);
}

void put_set(Files &files, FileWriter &writer, const MeshSet &set) {
  writer.step(text("set '", set.name, "'"), [&](OpenFile &file) {
    FileArray one = files.new_array(1, 1, builtin_type(OP_TYPE_INT), 1);
    one.chunk_rows = one.deflate = 0;
    file.create(set.name, one);
    file.write_rows(set.name, 0, 1, OP_TYPE_INT, &set.size);
  });
}

// The layout of maps and dats differs in what the attribute `size` means, and in how long `type` is.
void put_array(Files &files, FileWriter &writer, const MeshArray &array, const MeshModel &model) {
  const ElementType type = builtin_type(array.real() ? OP_TYPE_DOUBLE : OP_TYPE_INT);
  const int rows = model.set(array.set).size;
  writer.step(text("array '", array.name, "'"), [&](OpenFile &file) {
    file.create(array.name, files.new_array(rows, array.dim, type));
    put_int(file, array.name, "size", array.to.empty() ? array.dim * type.size : rows);
    put_int(file, array.name, "dim", array.dim);
    file.write_text(array.name, "type", type.name, array.to.empty() ? 0 : 10);
    if (!array.to.empty()) write_base(file, array.name, 0);
    if (array.name != "bface_patch" && array.name != "p_bound") return;
    const std::vector<std::string> pieces = patch_pieces(patch_text(model.patches()));
    for (std::size_t i = 0; i < pieces.size(); ++i) file.write_text(array.name, patches_key(i).c_str(), pieces[i]);
  });
  const Communicator &communicator = files.mesh().communicator();
  const std::int64_t first = std::int64_t{rows} * communicator.rank() / communicator.size();
  const std::int64_t behind = std::int64_t{rows} * (communicator.rank() + 1) / communicator.size();
  const std::size_t at = static_cast<std::size_t>(first) * static_cast<std::size_t>(array.dim);
  const void *const data = array.real() ? static_cast<const void *>(array.reals.data() + at) : array.ints.data() + at;
  writer.write_rows(array.name, first, behind - first,
                    static_cast<std::size_t>(array.dim) * static_cast<std::size_t>(type.size), type.id,
                    static_cast<const char *>(data));
}

std::int64_t room_of(const Files &files, const MeshModel &model) {
  const std::string patches = patch_text(model.patches());
  std::int64_t bytes = static_cast<std::int64_t>(2 * patches.size() + patches.size() / patches_most * 256);
  const std::int64_t one = Files::room_of({1, 1, builtin_type(OP_TYPE_INT)});
  constexpr std::int64_t constants = 8; // of airfoil
  bytes += one * (static_cast<std::int64_t>(model.sets().size()) + constants);
  for (const MeshArray &array : model.arrays()) {
    const ElementType type = builtin_type(array.real() ? OP_TYPE_DOUBLE : OP_TYPE_INT);
    bytes += Files::room_of(files.new_array(model.set(array.set).size, array.dim, type));
  }
  return bytes;
}

// What airfoil reads besides the mesh.
void put_airfoil_constants(Files &files, FileWriter &writer) {
  const double gamma = 1.4, mach = 0.4, speed = std::sqrt(gamma) * mach;
  struct Constant {
    const char *name;
    std::vector<double> values;
  };
  const std::array all = {Constant{"gam", {gamma}},
                          Constant{"gm1", {gamma - 1}},
                          Constant{"cfl", {0.9}},
                          Constant{"eps", {0.05}},
                          Constant{"mach", {mach}},
                          Constant{"alpha", {3 * std::atan(1.0) / 45}},
                          Constant{"qinf", {1, speed, 0, 1 / (gamma - 1) + 0.5 * speed * speed}}};
  for (const Constant &one : all)
    writer.step(text("constant '", one.name, "'"), [&](OpenFile &file) {
      const auto count = static_cast<int>(one.values.size());
      FileArray array = files.new_array(count, 1, builtin_type(OP_TYPE_DOUBLE), 1);
      array.chunk_rows = array.deflate = 0;
      file.create(one.name, array);
      put_int(file, one.name, "dim", count);
      file.write_text(one.name, "type", "double");
      file.write_rows(one.name, 0, count, OP_TYPE_DOUBLE, one.values.data());
    });
}

} // namespace

void write_mesh_hdf5(Files &files, const MeshModel &model, const std::string &path) {
  files.mesh().agreement().agree(text("a mesh to file '", path, "'"));
  FileWriter writer(files, path, FileWriter::Mode::replace, room_of(files, model));
  for (const MeshSet &set : model.sets()) put_set(files, writer, set);
  for (const MeshArray &array : model.arrays()) put_array(files, writer, array, model);
  if (model.file().format == "airfoil") put_airfoil_constants(files, writer);
  writer.commit();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
