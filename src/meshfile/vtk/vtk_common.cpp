#include "meshfile/vtk/vtk_common.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "meshfile/geometry.hpp"
#include "meshfile/join.hpp"
#include "meshfile/vtk/vtk_cells.hpp"

namespace op2::core {

namespace {

// Calls f with a null pointer of the C++ type.
template <class F>
auto with_vtk_type(VtkType type, F &&f) {
  switch (type) {
    case VtkType::int8:
      return f(static_cast<std::int8_t *>(nullptr));
    case VtkType::uint8:
      return f(static_cast<std::uint8_t *>(nullptr));
    case VtkType::int16:
      return f(static_cast<std::int16_t *>(nullptr));
    case VtkType::uint16:
      return f(static_cast<std::uint16_t *>(nullptr));
    case VtkType::int32:
      return f(static_cast<std::int32_t *>(nullptr));
    case VtkType::uint32:
      return f(static_cast<std::uint32_t *>(nullptr));
    case VtkType::int64:
      return f(static_cast<std::int64_t *>(nullptr));
    case VtkType::uint64:
      return f(static_cast<std::uint64_t *>(nullptr));
    case VtkType::float32:
      return f(static_cast<float *>(nullptr));
    default:
      return f(static_cast<double *>(nullptr));
  }
}

struct VtkCell {
  Element kind;
  int nodes;
  bool higher = false, grid = false; // grid: numbered along the axes
};

std::optional<VtkCell> vtk_cell(long long type, long long nodes) {
  switch (type) {
    case 7: // polygon
      if (nodes == 3) return VtkCell{Element::triangle, 3};
      if (nodes == 4) return VtkCell{Element::quadrangle, 4};
      return std::nullopt; // fewer
    case 8:
      return VtkCell{Element::quadrangle, 4, false, true};
    case 11:
      return VtkCell{Element::hexahedron, 8, false, true};
    case 21:
      return VtkCell{Element::line, 3, true};
    case 22:
      return VtkCell{Element::triangle, 6, true};
    case 23:
      return VtkCell{Element::quadrangle, 8, true};
    case 24:
      return VtkCell{Element::tetrahedron, 10, true};
    case 25:
      return VtkCell{Element::hexahedron, 20, true};
    case 26:
      return VtkCell{Element::prism, 15, true};
    case 27:
      return VtkCell{Element::pyramid, 13, true};
    case 28:
      return VtkCell{Element::quadrangle, 9, true};
    case 29:
      return VtkCell{Element::hexahedron, 27, true};
    case 30: // of second order in one direction
      return VtkCell{Element::quadrangle, 6, true};
    case 31:
      return VtkCell{Element::prism, 12, true};
    case 32:
      return VtkCell{Element::prism, 18, true};
    case 33:
      return VtkCell{Element::hexahedron, 24, true};
    case 34:
      return VtkCell{Element::triangle, 7, true};
    case 37:
      return VtkCell{Element::pyramid, 19, true};
    default:
      break;
  }
  const std::optional<Element> plain = vtk_element(static_cast<int>(type));
  if (!plain) return std::nullopt;
  return VtkCell{*plain, element_nodes(*plain)};
}

} // namespace

std::size_t vtk_size(VtkType type) {
  return with_vtk_type(type, [](auto *value) { return sizeof *value; });
}

long long vtk_integer(VtkType type, const char *from, bool swap) {
  return with_vtk_type(type, [&](auto *value) {
    return static_cast<long long>(Cursor::load<std::remove_pointer_t<decltype(value)>>(from, swap));
  });
}

double vtk_real(VtkType type, const char *from, bool swap) {
  return with_vtk_type(type, [&](auto *value) {
    return static_cast<double>(Cursor::load<std::remove_pointer_t<decltype(value)>>(from, swap));
  });
}

std::vector<double> vtk_reals(const Cursor &in, VtkType type, std::string_view bytes, bool swap) {
  std::vector<double> out(bytes.size() / vtk_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = vtk_real(type, bytes.data() + i * vtk_size(type), swap);
    if (!std::isfinite(out[i])) in.fail_here("a value is not a finite number");
  }
  return out;
}

std::vector<long long> vtk_integers(const Cursor &in, VtkType type, std::string_view bytes, bool swap) {
  if (!vtk_whole(type)) in.fail_here("expected whole numbers, found an array of real ones");
  std::vector<long long> out(bytes.size() / vtk_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = vtk_integer(type, bytes.data() + i * vtk_size(type), swap);
  return out;
}

namespace {

constexpr int vtk_pentagonal_prism = 15, vtk_hexagonal_prism = 16;

// The cells of a grid as elements, whose nodes are those of the grid and so many more.
class VtkCells {
 public:
  VtkCells(const Cursor &in, const VtkGrid &grid, int first_node, Elements &elements)
      : in_(in),
        grid_(grid),
        first_node_(first_node),
        nodes_(static_cast<int>(grid.points.size() / 3)),
        elements_(elements) {}

  void run() {
    long long begin = 0;
    for (std::size_t i = 0; i < grid_.types.size(); ++i) {
      const long long end = grid_.ends[i], type = grid_.types[i];
      if (end < begin || static_cast<unsigned long long>(end) > grid_.nodes.size())
        refuse(i, text("ends at ", end, ", which is not possible"));
      const std::span<const long long> own{grid_.nodes.data() + begin, static_cast<std::size_t>(end - begin)};
      begin = end;
      const bool ghost = i < grid_.ghosts.size() && grid_.ghosts[i] != 0;
      const auto faces = type == vtk_polyhedron ? stream_of(i, own) : own;
      if (ghost) continue;
      if (type == vtk_polyhedron)
        polyhedron(i, faces);
      else if (type == vtk_pentagonal_prism || type == vtk_hexagonal_prism)
        prism(i, own);
      else if (type == vtk_polygon && own.size() > 4)
        elements_.add_polygon(nodes_of(i, own), tag(i));
      else if (type != 0 && type != 2) // nothing, or loose points
        cell(i, own);
    }
  }
  bool higher() const { return higher_; }

 private:
  [[noreturn]] void refuse(std::size_t cell, const std::string &what) const {
    in_.fail_here(text("cell ", cell, " ", what));
  }
  int tag(std::size_t i) const { return static_cast<int>(i < grid_.cell_data.size() ? grid_.cell_data[i] : 0); }
  int node(std::size_t i, long long number) const {
    if (number < 0 || number >= nodes_) refuse(i, text("has node ", number, " of ", nodes_));
    return first_node_ + static_cast<int>(number);
  }

  void cell(std::size_t i, std::span<const long long> nodes) {
    const std::optional<VtkCell> kind = vtk_cell(grid_.types[i], static_cast<long long>(nodes.size()));
    if (!kind) refuse(i, text("has type ", grid_.types[i], ", which cannot be read"));
    if (static_cast<std::size_t>(kind->nodes) != nodes.size())
      refuse(i, text("of type ", grid_.types[i], " has ", nodes.size(), " nodes"));
    std::array<int, 8> own{};
    const auto corners = static_cast<std::size_t>(element_nodes(kind->kind));
    for (std::size_t k = 0; k < corners; ++k) own[k] = node(i, nodes[k]);
    for (std::size_t k = 2; kind->grid && k < corners; k += 4) std::swap(own[k], own[k + 1]);
    higher_ |= kind->higher;
    elements_.add(kind->kind, {own.data(), corners}, tag(i));
  }

  std::span<const int> nodes_of(std::size_t i, std::span<const long long> nodes) {
    own_.clear();
    for (const long long number : nodes) own_.push_back(node(i, number));
    return own_;
  }

  void prism(std::size_t i, std::span<const long long> nodes) {
    const std::size_t corners = grid_.types[i] == vtk_pentagonal_prism ? 5 : 6;
    if (nodes.size() != 2 * corners) refuse(i, text("of type ", grid_.types[i], " has ", nodes.size(), " nodes"));
    const std::span<const int> own = nodes_of(i, nodes);
    std::vector<std::array<int, 4>> walls;
    for (std::size_t k = 0; k < corners; ++k) {
      const std::size_t next = (k + 1) % corners;
      walls.push_back({own[k], own[next], own[corners + next], own[corners + k]});
    }
    sides_ = {own.first(corners), own.last(corners)};
    sides_.insert(sides_.end(), walls.begin(), walls.end());
    elements_.add_polyhedron(sides_);
  }

  // What a polyhedron has in the list of faces, or in that of nodes.
  std::span<const long long> stream_of(std::size_t i, std::span<const long long> nodes) {
    if (grid_.face_ends.empty()) return nodes;
    const long long end = i < grid_.face_ends.size() ? grid_.face_ends[i] : -1, begin = faces_at_;
    if (end < begin || static_cast<unsigned long long>(end) > grid_.faces.size())
      refuse(i, text("has faces up to ", end, ", which is not possible"));
    faces_at_ = end;
    return {grid_.faces.data() + begin, static_cast<std::size_t>(end - begin)};
  }

  void polyhedron(std::size_t i, std::span<const long long> stream) {
    std::vector<std::size_t> begin;
    const long long faces = stream.empty() ? 0 : stream[0];
    std::size_t at = 1;
    own_.clear();
    for (long long face = 0; face < faces; ++face) {
      const long long length = at < stream.size() ? stream[at] : 0;
      if (length < 1 || static_cast<unsigned long long>(length) >= stream.size() - at)
        refuse(i, text("has ", length, " nodes in face ", face, ", or its list of faces ends there"));
      begin.push_back(own_.size());
      for (long long k = 0; k < length; ++k) own_.push_back(node(i, stream[++at]));
      ++at;
    }
    if (faces < 1 || at != stream.size()) refuse(i, text("has ", faces, " faces, which do not fit their list"));
    begin.push_back(own_.size());
    sides_.clear();
    for (std::size_t face = 0; face + 1 < begin.size(); ++face)
      sides_.emplace_back(own_.data() + begin[face], begin[face + 1] - begin[face]);
    elements_.add_polyhedron(sides_);
  }

  const Cursor &in_;
  const VtkGrid &grid_;
  const int first_node_, nodes_;
  Elements &elements_;
  std::vector<int> own_;
  std::vector<std::span<const int>> sides_;
  long long faces_at_ = 0;
  bool higher_ = false;
};

} // namespace

namespace {

void need_lengths(const VtkPiece &piece) {
  const VtkGrid &grid = piece.grid;
  if (grid.points.size() % 3 != 0 || grid.types.size() != grid.ends.size())
    piece.in.fail_here(text("there are ", grid.points.size(), " coordinates, ", grid.types.size(),
                            " types of cells and ", grid.ends.size(), " cells, which do not fit together"));
}

} // namespace

MeshFile vtk_mesh(const Cursor &in, VtkGrid grid, const char *format) {
  VtkPiece piece{in, std::move(grid)};
  return vtk_mesh(std::span(&piece, 1), {}, format);
}

MeshFile vtk_mesh(std::span<VtkPiece> pieces, std::span<const int> same, const char *format) {
  for (const VtkPiece &piece : pieces) need_lengths(piece);
  const std::vector<int> starts = piece_starts(pieces.front().in.file(), pieces);
  MeshFile mesh;
  mesh.format = format;
  Elements elements;
  bool higher = false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    VtkGrid grid = std::move(pieces[i].grid);
    VtkCells cells(pieces[i].in, grid, starts[i], elements);
    cells.run();
    higher |= cells.higher();
    if (i == 0)
      mesh.x = std::move(grid.points);
    else
      mesh.x.insert(mesh.x.end(), grid.points.begin(), grid.points.end());
  }
  elements.finish(mesh);
  if (!same.empty()) merge_nodes(mesh, same, starts);
  turn_prisms(mesh);
  if (higher) {
    mesh.notes.push_back("elements of higher order: only their corners are taken");
    drop_unused_nodes(mesh);
  }
  drop_flat_coordinate(mesh);
  return mesh;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
