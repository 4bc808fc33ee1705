#include "meshfile/vtk/mesh_piece.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "meshfile/vtk/vtk_cells.hpp"

namespace op2::core {

namespace {

constexpr int vtk_line = 3, vtk_triangle = 5, vtk_quadrangle = 9;
constexpr std::array vtk_types = {5, 9, 10, 14, 13, 12, vtk_polyhedron, vtk_polygon}; // as CellType counts

// The faces of each cell that is given by its faces only.
class FacesOfCells {
 public:
  explicit FacesOfCells(const MeshModel &model) : connectivity_(model.faces()) {
    const MeshFile &file = model.file();
    wanted_.resize(static_cast<std::size_t>(file.cells));
    for (const CellType type : {CellType::polyhedron, CellType::polygon})
      for (const int cell : file.block(type).cells) wanted_[static_cast<std::size_t>(cell)] = true;
    for (std::size_t i = 0; i < connectivity_.face_cells.size(); ++i)
      add(connectivity_.face_cells[i], static_cast<int>(i / 2), false, i % 2 == 1);
    for (std::size_t i = 0; i < connectivity_.boundary_cell.size(); ++i)
      add(connectivity_.boundary_cell[i], static_cast<int>(i), true, false);
  }

  // Each as nodes that make a normal out of the cell.
  std::vector<std::vector<int>> faces(int cell) const {
    std::vector<std::vector<int>> out;
    const auto found = faces_.find(cell);
    if (found == faces_.end()) return out;
    for (const Face &face : found->second) {
      const std::span<const int> row = face_row(face.boundary ? connectivity_.boundary_nodes : connectivity_.face_nodes,
                                                connectivity_.arity, face.number);
      out.emplace_back(row.begin(), row.end());
      if (face.turned) std::reverse(out.back().begin(), out.back().end());
    }
    return out;
  }

 private:
  struct Face {
    int number;
    bool boundary, turned;
  };
  void add(int cell, int number, bool boundary, bool turned) {
    if (wanted_[static_cast<std::size_t>(cell)]) faces_[cell].push_back({number, boundary, turned});
  }

  const Connectivity &connectivity_;
  std::vector<bool> wanted_;
  std::map<int, std::vector<Face>> faces_;
};

// The nodes around a polygon, from its edges, each of which leads to the next.
std::vector<int> ring(const std::vector<std::vector<int>> &edges, int cell) {
  std::map<int, int> next;
  for (const std::vector<int> &edge : edges) next[edge.front()] = edge.back();
  std::vector<int> out;
  for (int node = edges.empty() ? -1 : edges.front().front(); out.size() < edges.size(); node = next[node]) {
    if (next.count(node) == 0 || (!out.empty() && node == out.front())) break;
    out.push_back(node);
  }
  if (out.empty() || out.size() != edges.size() || next[out.back()] != out.front())
    fail(OP_ERR_UNSUPPORTED, "cell ", cell,
         " is a polygon whose edges are not one ring; write HDF5 (.h5), where such cells can be");
  return out;
}

class PieceMaker {
 public:
  PieceMaker(const MeshModel &model, int part)
      : model_(model), part_(part), place_(static_cast<std::size_t>(model.file().nodes()), -1), by_faces_(model) {}

  MeshPiece run() {
    for (std::size_t i = 0; part_ < 0 && i < place_.size(); ++i) point(static_cast<int>(i)); // in their own order
    cells();
    boundary();
    coordinates();
    return std::move(out_);
  }

 private:
  bool has(int cell) const { return part_ < 0 || model_.part()[static_cast<std::size_t>(cell)] == part_; }

  std::int64_t point(int node) {
    int &place = place_[static_cast<std::size_t>(node)];
    if (place >= 0) return place;
    place = static_cast<int>(out_.ids.size());
    out_.ids.push_back(node);
    return place;
  }

  void cells() {
    const MeshFile &file = model_.file();
    struct Row {
      int type = 0, row = 0;
    };
    std::vector<Row> rows(static_cast<std::size_t>(file.cells));
    for (int type = 0; type < cell_types; ++type) {
      const CellBlock &block = file.blocks[static_cast<std::size_t>(type)];
      for (int i = 0; i < block.size(); ++i)
        rows[static_cast<std::size_t>(block.cells[static_cast<std::size_t>(i)])] = {type, i};
    }
    for (int cell = 0; cell < file.cells; ++cell) {
      if (!has(cell)) continue;
      const auto [type, row] = rows[static_cast<std::size_t>(cell)];
      const int width = shape(static_cast<CellType>(type)).nodes;
      if (width > 0)
        nodes(std::span(file.blocks[static_cast<std::size_t>(type)].nodes)
                  .subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(width),
                           static_cast<std::size_t>(width)));
      else if (static_cast<CellType>(type) == CellType::polygon)
        nodes(ring(by_faces_.faces(cell), cell));
      else
        polyhedron(by_faces_.faces(cell));
      close(vtk_types[static_cast<std::size_t>(type)], no_patch, cell);
    }
  }

  void boundary() {
    const Connectivity &faces = model_.faces();
    for (int i = 0; i < faces.boundary_faces(); ++i) {
      const int cell = faces.boundary_cell[static_cast<std::size_t>(i)],
                patch = faces.boundary_patch[static_cast<std::size_t>(i)];
      if (!has(cell) || patch == no_patch) continue;
      const std::span<const int> row = face_row(faces.boundary_nodes, faces.arity, i);
      nodes(row);
      close(row.size() == 2   ? vtk_line
            : row.size() == 3 ? vtk_triangle
            : row.size() == 4 ? vtk_quadrangle
                              : vtk_polygon,
            patch, cell);
    }
  }

  void nodes(std::span<const int> row) {
    for (const int node : row) out_.nodes.push_back(point(node));
  }

  void polyhedron(const std::vector<std::vector<int>> &sides) {
    const std::size_t begin = out_.nodes.size();
    out_.faces.push_back(static_cast<std::int64_t>(sides.size()));
    for (const std::vector<int> &side : sides) {
      out_.faces.push_back(static_cast<std::int64_t>(side.size()));
      for (const int node : side) {
        out_.faces.push_back(point(node));
        out_.nodes.push_back(point(node));
      }
    }
    const auto first = out_.nodes.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, out_.nodes.end());
    out_.nodes.erase(std::unique(first, out_.nodes.end()), out_.nodes.end());
  }

  void close(int type, int patch, int cell) {
    out_.ends.push_back(static_cast<std::int64_t>(out_.nodes.size()));
    out_.types.push_back(static_cast<std::uint8_t>(type));
    out_.face_ends.push_back(type == vtk_polyhedron ? static_cast<std::int64_t>(out_.faces.size()) : -1);
    out_.patches.push_back(patch);
    if (model_.parts() > 0) out_.parts.push_back(model_.part()[static_cast<std::size_t>(cell)]);
  }

  void coordinates() {
    const MeshFile &file = model_.file();
    const auto dim = static_cast<std::size_t>(file.dim);
    out_.points.resize(3 * out_.ids.size());
    for (std::size_t i = 0; i < out_.ids.size(); ++i)
      for (std::size_t k = 0; k < dim; ++k)
        out_.points[3 * i + k] = file.x[static_cast<std::size_t>(out_.ids[i]) * dim + k];
  }

  const MeshModel &model_;
  const int part_;
  std::vector<int> place_; // of each node among the points of the piece, -1: not there
  FacesOfCells by_faces_;
  MeshPiece out_;
};

} // namespace

MeshPiece mesh_piece(const MeshModel &model, int part) { return PieceMaker(model, part).run(); }

void all_by_faces(MeshPiece &piece) {
  if (std::find(piece.types.begin(), piece.types.end(), vtk_polyhedron) == piece.types.end()) return;
  std::vector<std::int64_t> faces;
  std::size_t begin = 0, face_begin = 0;
  for (std::size_t i = 0; i < piece.types.size(); ++i) {
    const std::span own = std::span(piece.nodes).subspan(begin, static_cast<std::size_t>(piece.ends[i]) - begin);
    begin = static_cast<std::size_t>(piece.ends[i]);
    if (piece.types[i] == vtk_polyhedron) {
      const auto face_end = static_cast<std::size_t>(piece.face_ends[i]);
      faces.insert(faces.end(), piece.faces.begin() + static_cast<std::ptrdiff_t>(face_begin),
                   piece.faces.begin() + static_cast<std::ptrdiff_t>(face_end));
      face_begin = face_end;
    } else if (piece.patches[i] == no_patch) {
      const auto type = std::find(vtk_types.begin(), vtk_types.end(), piece.types[i]) - vtk_types.begin();
      const std::span<const CellSide> sides = shape(static_cast<CellType>(type)).sides;
      faces.push_back(static_cast<std::int64_t>(sides.size()));
      for (const CellSide &side : sides) {
        faces.push_back(side.nodes);
        for (int k = 0; k < side.nodes; ++k)
          faces.push_back(own[static_cast<std::size_t>(side.node[static_cast<std::size_t>(k)])]);
      }
      piece.types[i] = vtk_polyhedron;
    } else {
      continue; // a boundary face
    }
    piece.face_ends[i] = static_cast<std::int64_t>(faces.size());
  }
  piece.faces = std::move(faces);
}

std::vector<PointLink> shared_points(std::span<const MeshPiece> pieces) {
  struct Use {
    std::int64_t id;
    int piece;
    long long point;
  };
  std::vector<Use> uses;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece)
    for (std::size_t i = 0; i < pieces[piece].ids.size(); ++i)
      uses.push_back({pieces[piece].ids[i], static_cast<int>(piece), static_cast<long long>(i)});
  std::stable_sort(uses.begin(), uses.end(), [](const Use &a, const Use &b) { return a.id < b.id; });
  std::vector<PointLink> out;
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    while (end < uses.size() && uses[end].id == uses[begin].id) ++end;
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = begin; k < end; ++k)
        if (i != k) out.push_back({uses[i].piece, uses[i].point, uses[k].piece, uses[k].point});
  }
  std::stable_sort(out.begin(), out.end(), [](const PointLink &a, const PointLink &b) {
    return std::pair(a.piece, a.other) < std::pair(b.piece, b.other);
  });
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
