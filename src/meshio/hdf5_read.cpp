// Meshes of HDF5 files in OP2's layout.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/op2_layout.hpp"
#include "meshio/mesh_files.hpp"

namespace op2::core {

namespace {

std::map<int, std::string> patches_of(const std::string &from) {
  std::map<int, std::string> out;
  for (const std::string &line : split(from, '\n')) {
    int id = 0;
    const char *const end = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data(), end, id);
    if (error == std::errc() && after < end && id != no_patch) out.emplace(id, std::string(after + 1, end));
  }
  return out;
}

// The arrays of a file as a mesh.
class MeshHdf5 {
 public:
  explicit MeshHdf5(OpenFile &file) : file_(file) {}

  MeshFile read() {
    const bool airfoil = file_.has("pedge");
    mesh_.format = airfoil ? "airfoil" : "hdf5";
    mesh_.x = values<double>(airfoil ? "p_x" : "x", OP_TYPE_DOUBLE, mesh_.dim);
    if (mesh_.dim != 2 && (airfoil || mesh_.dim != 3))
      refuse(text("nodes have ", mesh_.dim, " coordinates, instead of 2", airfoil ? "" : " or 3"));
    if (airfoil)
      read_airfoil();
    else
      read_general();
    check_numbers(mesh_, file_.title());
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void refuse(const std::string &what) const { fail(OP_ERR_FILE, file_.title(), ": ", what); }

  template <class T>
  std::vector<T> values(const std::string &name, op_type_id type, int &dim) {
    if (!file_.has(name)) refuse(text("there is no dataset '", name, "', which meshes of op2_mesh have"));
    const FileArray array = file_.describe(name);
    if (array.dim < 1 || array.dim > most_face_nodes || array.rows > std::numeric_limits<int>::max())
      refuse(text("dataset '", name, "' has ", array.rows, " rows of ", array.dim, " values"));
    std::vector<T> out(static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.dim));
    file_.read_rows(name, 0, array.rows, type, out.data());
    dim = array.dim;
    return out;
  }
  std::vector<int> ints(const std::string &name, int dim) {
    int found = 0;
    std::vector<int> out = values<int>(name, OP_TYPE_INT, found);
    need_columns(name, found, dim);
    return out;
  }
  void need_columns(const std::string &name, int found, int dim) const {
    if (found != dim) refuse(text("dataset '", name, "' has ", found, " columns instead of ", dim));
  }

  // Entries of a map, from 0 whatever the file counts from.
  std::vector<int> entries(const std::string &name, int &dim) {
    std::vector<int> out = values<int>(name, OP_TYPE_INT, dim);
    const int base = base_of(file_, name).value_or(0);
    if (base == 0) return out;
    for (int &entry : out) {
      if (entry < base) refuse(text("map '", name, "' has entry ", entry, ", though its entries count from ", base));
      entry -= base;
    }
    return out;
  }
  std::vector<int> entries_of(const std::string &name, int dim) {
    int found = 0;
    std::vector<int> out = entries(name, found);
    need_columns(name, found, dim);
    return out;
  }

  // turned: the file has the nodes of edges the other way round.
  void add_faces(const std::string &nodes, bool turned) {
    int arity = 0;
    std::vector<int> rows = entries(nodes, arity);
    for (std::size_t i = 0; turned && i + 1 < rows.size(); i += 2) std::swap(rows[i], rows[i + 1]);
    for (int i = 0; i < static_cast<int>(rows.size()) / arity; ++i) {
      const std::span<const int> row = face_row(rows, arity, i);
      mesh_.faces.nodes.items.insert(mesh_.faces.nodes.items.end(), row.begin(), row.end());
      mesh_.faces.nodes.close();
    }
  }

  void add_cells(const std::string &faces, const std::string &boundary) {
    const std::vector<int> pairs = entries_of(faces, 2), single = entries_of(boundary, 1);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      mesh_.faces.left.push_back(pairs[i]);
      mesh_.faces.right.push_back(pairs[i + 1]);
    }
    mesh_.faces.left.insert(mesh_.faces.left.end(), single.begin(), single.end());
  }

  void add_patches(const std::string &name) {
    std::string texts;
    try {
      for (std::size_t i = 0;; ++i) texts += file_.read_text(name, patches_key(i).c_str());
    } catch (const Error &) { // that was the last one; files of others have none
    }
    const std::map<int, std::string> named = patches_of(texts);
    for (const int id : ints(name, 1)) {
      const auto found = named.find(id);
      mesh_.boundary_patch.push_back(mesh_.patch(id, found != named.end() ? found->second
                                                     : id == no_patch     ? "none"
                                                                          : ""));
    }
    if (mesh_.boundary_patch.size() + mesh_.faces.right.size() != mesh_.faces.left.size() ||
        static_cast<std::size_t>(mesh_.faces.nodes.size()) != mesh_.faces.left.size())
      refuse("the datasets of faces have different lengths");
  }

  void read_airfoil() {
    mesh_.cell_dim = 2;
    CellBlock &block = mesh_.block(CellType::quadrangle);
    block.nodes = entries_of("pcell", 4);
    mesh_.cells = static_cast<int>(block.nodes.size() / 4);
    for (int i = 0; i < mesh_.cells; ++i) block.cells.push_back(i);
    add_faces("pedge", true);
    add_faces("pbedge", true);
    add_cells("pecell", "pbecell");
    add_patches("p_bound");
  }

  void read_general() {
    mesh_.cells = set_size("cells");
    if (mesh_.cells > most_cells()) refuse(text("there are ", mesh_.cells, " cells, more than faces have sides"));
    std::vector<bool> is_known(static_cast<std::size_t>(mesh_.cells));
    int highest = 0;
    for (int type = 0; type < cell_types; ++type) {
      const CellShape &one = shape(static_cast<CellType>(type));
      if (one.nodes == 0 || !file_.has(text(one.plural, "_nodes"))) continue;
      CellBlock &block = mesh_.blocks[static_cast<std::size_t>(type)];
      block.nodes = entries_of(text(one.plural, "_nodes"), one.nodes);
      block.cells = entries_of(text(one.plural, "_cells"), 1);
      if (block.nodes.size() != block.cells.size() * static_cast<std::size_t>(one.nodes))
        refuse(text("'", one.plural, "_nodes' and '", one.plural, "_cells' have different lengths"));
      for (const int cell : block.cells) {
        if (cell < 0 || cell >= mesh_.cells || is_known[static_cast<std::size_t>(cell)])
          refuse(text("'", one.plural, "_cells' has cell ", cell, " of ", mesh_.cells, ", or has it twice"));
        is_known[static_cast<std::size_t>(cell)] = true;
      }
      highest = std::max(highest, one.dim);
    }
    add_faces("face_nodes", false);
    add_faces("bface_nodes", false);
    add_cells("face_cells", "bface_cells");
    mesh_.cell_dim = highest > 0 ? highest : file_.describe("bface_nodes").dim == 2 ? 2 : 3;
    CellBlock &others = mesh_.block(mesh_.cell_dim == 3 ? CellType::polyhedron : CellType::polygon);
    for (int i = 0; i < mesh_.cells; ++i)
      if (!is_known[static_cast<std::size_t>(i)]) others.cells.push_back(i);
    add_patches("bface_patch");
  }

  // Each has a side of a face at least.
  std::int64_t most_cells() {
    std::int64_t out = 0;
    for (const char *name : {"face_cells", "bface_cells"})
      if (file_.has(name)) out += file_.describe(name).rows * file_.describe(name).dim;
    return out;
  }

  int set_size(const std::string &name) {
    const std::vector<int> size = ints(name, 1);
    if (size.size() != 1 || size[0] < 0) refuse(text("dataset '", name, "' is no size of a set"));
    return size[0];
  }

  OpenFile &file_;
  MeshFile mesh_;
};

} // namespace

MeshFile read_mesh_hdf5(Files &files, const std::string &path) {
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  return MeshHdf5(*file).read();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
