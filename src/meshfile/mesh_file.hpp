// A mesh as files have it: nodes with coordinates, cells of several types given by their nodes (or all faces with the
// cells on both sides), and boundary faces with patches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

enum class CellType { triangle, quadrangle, tetrahedron, pyramid, prism, hexahedron, polyhedron, polygon };
inline constexpr int cell_types = 8;

// One side of a cell: which of its nodes, in the order that makes the normal point outwards.
struct CellSide {
  int nodes;
  std::array<int, 4> node;
};

struct CellShape {
  const char *name;   // "tetrahedron"
  const char *plural; // "tetrahedra", the name of the set
  int dim;
  int nodes; // 0 for polyhedra and polygons
  std::span<const CellSide> sides;
};

const CellShape &shape(CellType type);

// All cells of one type.
struct CellBlock {
  std::vector<int> nodes; // [cells][nodes of the type]
  std::vector<int> cells; // number of each among all cells

  int size() const { return static_cast<int>(cells.size()); }
};

// Lists of different lengths, one behind the other.
struct Lists {
  std::vector<std::size_t> begin{0};
  std::vector<int> items;

  int size() const { return static_cast<int>(begin.size() - 1); }
  void close() { begin.push_back(items.size()); }
  std::span<const int> operator[](int i) const {
    const auto at = static_cast<std::size_t>(i);
    return {items.data() + begin[at], begin[at + 1] - begin[at]};
  }
};

// The sides of polyhedra or polygons, cell by cell, each a list of nodes in either direction.
struct FreeCells {
  std::vector<int> begin{0}; // of each cell in `sides`, and one more
  Lists sides;

  int size() const { return static_cast<int>(begin.size() - 1); }
  void close() { begin.push_back(sides.size()); }
};

// A named part of the boundary. `id` is the number that the file gives it.
struct Patch {
  int id;
  std::string name;
};

// Faces with the cells on both sides. Interior ones first: `right` has as many entries as there are interior faces.
struct GivenFaces {
  Lists nodes;
  std::vector<int> left, right;
  int unmatched = 0, non_manifold = 0; // as in Connectivity
};

struct MeshFile {
  std::string format;
  int dim = 3;      // coordinates of a node
  int cell_dim = 3; // 2 for triangles and quadrangles
  std::vector<double> x;
  int cells = 0;
  std::array<CellBlock, cell_types> blocks;
  FreeCells free;                  // sides of the polyhedra (polygons) if `faces` is empty
  Lists boundary;                  // nodes of each boundary face that the file lists
  std::vector<int> boundary_patch; // place in `patches`
  std::vector<Patch> patches;
  GivenFaces faces; // instead of `boundary`, if the file has faces; boundary_patch is then of faces with one cell
  std::vector<std::string> notes; // what was left out

  int nodes() const { return static_cast<int>(x.size() / static_cast<std::size_t>(dim)); }
  bool has_faces() const { return faces.nodes.size() > 0; }
  CellBlock &block(CellType type) { return blocks[static_cast<std::size_t>(type)]; }
  const CellBlock &block(CellType type) const { return blocks[static_cast<std::size_t>(type)]; }
  void add_cell(CellType type, std::span<const int> nodes);
  // The place of the patch with this number and name ("": any name); adds it if it is new.
  int patch(int id, std::string_view name);

 private:
  std::map<int, std::vector<int>> patch_places_; // by id, of the first patches_known_
  std::size_t patches_known_ = 0;
};

// Faces of more nodes are refused: tables of faces have as many columns as the largest has nodes.
inline constexpr int most_face_nodes = 128;

// Throws unless all numbers of nodes, cells and patches exist and coordinates are finite. `file` is for messages.
void check_numbers(const MeshFile &mesh, const std::string &file);

// Removes the third coordinate if cells are flat and it is the same for all nodes.
void drop_flat_coordinate(MeshFile &mesh);

} // namespace op2::core

// SPDX-License-Identifier: MIT
