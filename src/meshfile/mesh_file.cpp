#include "meshfile/mesh_file.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr std::array triangle_sides = {CellSide{2, {0, 1}}, CellSide{2, {1, 2}}, CellSide{2, {2, 0}}};
constexpr std::array quadrangle_sides = {CellSide{2, {0, 1}}, CellSide{2, {1, 2}}, CellSide{2, {2, 3}},
                                         CellSide{2, {3, 0}}};
constexpr std::array tetrahedron_sides = {CellSide{3, {0, 2, 1}}, CellSide{3, {0, 1, 3}}, CellSide{3, {1, 2, 3}},
                                          CellSide{3, {0, 3, 2}}};
constexpr std::array pyramid_sides = {CellSide{4, {0, 3, 2, 1}}, CellSide{3, {0, 1, 4}}, CellSide{3, {1, 2, 4}},
                                      CellSide{3, {2, 3, 4}}, CellSide{3, {3, 0, 4}}};
constexpr std::array prism_sides = {CellSide{3, {0, 2, 1}}, CellSide{3, {3, 4, 5}}, CellSide{4, {0, 1, 4, 3}},
                                    CellSide{4, {1, 2, 5, 4}}, CellSide{4, {2, 0, 3, 5}}};
constexpr std::array hexahedron_sides = {CellSide{4, {0, 3, 2, 1}}, CellSide{4, {4, 5, 6, 7}},
                                         CellSide{4, {0, 1, 5, 4}}, CellSide{4, {1, 2, 6, 5}},
                                         CellSide{4, {2, 3, 7, 6}}, CellSide{4, {3, 0, 4, 7}}};

constexpr std::array<CellShape, cell_types> shapes = {CellShape{"triangle", "triangles", 2, 3, triangle_sides},
                                                      CellShape{"quadrangle", "quadrangles", 2, 4, quadrangle_sides},
                                                      CellShape{"tetrahedron", "tetrahedra", 3, 4, tetrahedron_sides},
                                                      CellShape{"pyramid", "pyramids", 3, 5, pyramid_sides},
                                                      CellShape{"prism", "prisms", 3, 6, prism_sides},
                                                      CellShape{"hexahedron", "hexahedra", 3, 8, hexahedron_sides},
                                                      CellShape{"polyhedron", "polyhedra", 3, 0, {}},
                                                      CellShape{"polygon", "polygons", 2, 0, {}}};

void check_all(std::span<const int> numbers, int limit, const char *what, const std::string &file) {
  const auto outside = [&](int number) { return number < 0 || number >= limit; };
  const auto bad = std::find_if(numbers.begin(), numbers.end(), outside);
  if (bad != numbers.end())
    fail(OP_ERR_FILE, file, ": ", what, " has number ", *bad, ", but the mesh has only ", limit, ", counted from 0");
}

void check_lists(const Lists &lists, int least, int nodes, const std::string &file) {
  for (int i = 0; i < lists.size(); ++i)
    if (const int length = static_cast<int>(lists[i].size()); length < least || length > most_face_nodes)
      fail(OP_ERR_FILE, file, ": face ", i, " has ", length, " nodes; ", least, " to ", most_face_nodes,
           " are possible");
  check_all(lists.items, nodes, "a node of a face", file);
}

} // namespace

const CellShape &shape(CellType type) { return shapes[static_cast<std::size_t>(type)]; }

void MeshFile::add_cell(CellType type, std::span<const int> nodes) {
  CellBlock &to = block(type);
  to.nodes.insert(to.nodes.end(), nodes.begin(), nodes.end());
  to.cells.push_back(cells++);
}

int MeshFile::patch(int id, std::string_view name) {
  for (; patches_known_ < patches.size(); ++patches_known_)
    patch_places_[patches[patches_known_].id].push_back(static_cast<int>(patches_known_));
  for (const int place : patch_places_[id])
    if (name.empty() || patches[static_cast<std::size_t>(place)].name == name) return place;
  patches.push_back({id, name.empty() ? text("patch", id) : std::string(name)});
  return static_cast<int>(patches.size() - 1);
}

void check_numbers(const MeshFile &mesh, const std::string &file) {
  const auto odd = std::find_if(mesh.x.begin(), mesh.x.end(), [](double x) { return !std::isfinite(x); });
  if (odd != mesh.x.end())
    fail(OP_ERR_FILE, file, ": a coordinate of node ", (odd - mesh.x.begin()) / mesh.dim, " is not a finite number");
  for (int type = 0; type < cell_types; ++type) {
    const CellBlock &block = mesh.blocks[static_cast<std::size_t>(type)];
    check_all(block.nodes, mesh.nodes(), text("a node of the ", shapes[static_cast<std::size_t>(type)].plural).c_str(),
              file);
    check_all(block.cells, mesh.cells, "a cell", file);
  }
  check_lists(mesh.free.sides, mesh.cell_dim, mesh.nodes(), file);
  check_lists(mesh.boundary, mesh.cell_dim, mesh.nodes(), file);
  check_lists(mesh.faces.nodes, mesh.cell_dim, mesh.nodes(), file);
  check_all(mesh.faces.left, mesh.cells, "the cell of a face", file);
  check_all(mesh.faces.right, mesh.cells, "the neighbour of a face", file);
  check_all(mesh.boundary_patch, static_cast<int>(mesh.patches.size()), "the patch of a boundary face", file);
}

void drop_flat_coordinate(MeshFile &mesh) {
  if (mesh.dim != 3 || mesh.cell_dim != 2 || mesh.x.empty()) return;
  const std::size_t nodes = mesh.x.size() / 3;
  for (std::size_t i = 0; i < nodes; ++i)
    if (mesh.x[3 * i + 2] != mesh.x[2]) return;
  for (std::size_t i = 0; i < nodes; ++i) {
    mesh.x[2 * i] = mesh.x[3 * i];
    mesh.x[2 * i + 1] = mesh.x[3 * i + 1];
  }
  mesh.x.resize(2 * nodes);
  mesh.dim = 2;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
