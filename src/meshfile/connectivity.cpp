#include "meshfile/connectivity.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "meshfile/geometry.hpp"

namespace op2::core {

namespace {

using Side = std::uint32_t; // sides are numbered cell by cell
constexpr Side no_side = ~Side{0};

// A side of a cell or a listed face, in the list of its smallest node. The others are in ascending order, counted from
// 1, and 0 where there are no more.
struct Key {
  std::uint64_t second_and_third;
  std::uint32_t fourth;
  Side side; // of a cell; listed faces follow behind all sides

  bool same_face(const Key &other) const {
    return second_and_third == other.second_and_third && fourth == other.fourth;
  }
  bool operator<(const Key &other) const {
    if (second_and_third != other.second_and_third) return second_and_third < other.second_and_third;
    return fourth != other.fourth ? fourth < other.fourth : side < other.side;
  }
};

// The nodes of a face without repetitions.
struct Corners {
  std::array<int, 4> node;
  int count = 0;

  void add(int number) {
    for (int k = 0; k < count; ++k)
      if (node[static_cast<std::size_t>(k)] == number) return;
    node[static_cast<std::size_t>(count++)] = number;
  }
  int smallest() const {
    int out = node[0];
    for (int k = 1; k < count; ++k) out = std::min(out, node[static_cast<std::size_t>(k)]);
    return out;
  }
};

// For a handful.
template <class T>
void sort_few(T *values, int count) {
  for (int i = 1; i < count; ++i)
    for (int k = i; k > 0 && values[k] < values[k - 1]; --k) std::swap(values[k], values[k - 1]);
}

Corners corners_of(const CellSide &side, const int *nodes) {
  Corners out{};
  for (int k = 0; k < side.nodes; ++k) out.add(nodes[side.node[static_cast<std::size_t>(k)]]);
  return out;
}

Key key_of(Corners corners, Side side) {
  sort_few(corners.node.data(), corners.count);
  const auto number = [&](int k) {
    return k < corners.count ? static_cast<std::uint32_t>(corners.node[static_cast<std::size_t>(k)]) + 1 : 0;
  };
  return {std::uint64_t{number(1)} << 32 | number(2), number(3), side};
}

// Finds for each side of a cell the one that lies against it.
class SideMatcher {
 public:
  explicit SideMatcher(const MeshFile &mesh) : mesh_(mesh) {}

  Connectivity run() {
    number_sides();
    sort_into_lists();
    for (std::size_t node = 0; node + 1 < begin_.size(); ++node) match(node);
    keys_ = {};
    emit();
    return std::move(out_);
  }

 private:
  struct Cell {
    Side first;
    int index; // in the block of its type
    CellType type;
  };

  void number_sides() {
    cells_.resize(static_cast<std::size_t>(mesh_.cells));
    for (std::size_t type = 0; type < mesh_.blocks.size(); ++type) {
      const CellBlock &block = mesh_.blocks[type];
      for (int i = 0; i < block.size(); ++i)
        cells_[static_cast<std::size_t>(block.cells[static_cast<std::size_t>(i)])] = {0, i,
                                                                                      static_cast<CellType>(type)};
    }
    std::uint64_t sides = 0;
    for (Cell &cell : cells_) {
      cell.first = static_cast<Side>(sides);
      sides += shape(cell.type).sides.size();
    }
    if (sides + static_cast<std::uint64_t>(mesh_.boundary.size()) >= no_side)
      fail(OP_ERR_UNSUPPORTED, "the mesh has ", sides, " sides of cells; ", no_side, " are possible");
    sides_ = static_cast<Side>(sides);
    partner_.assign(sides_, no_side);
    cell_of_.resize(sides_);
    for (std::size_t i = 0; i < cells_.size(); ++i)
      std::fill_n(cell_of_.begin() + cells_[i].first, shape(cells_[i].type).sides.size(), static_cast<int>(i));
    patch_.assign(sides_, no_patch);
  }

  const int *nodes_of(const Cell &cell) const {
    return mesh_.block(cell.type).nodes.data() +
           static_cast<std::size_t>(cell.index) * static_cast<std::size_t>(shape(cell.type).nodes);
  }

  // Calls what(smallest node, corners, side) for all sides and listed faces. Sides that are a point or a line are none.
  template <class F>
  void each_side(F &&what) const {
    const auto use = [&](const Corners &corners, Side side) {
      if (corners.count >= mesh_.cell_dim) what(corners.smallest(), corners, side);
    };
    for (const Cell &cell : cells_) {
      const int *nodes = nodes_of(cell);
      Side side = cell.first;
      for (const CellSide &one : shape(cell.type).sides) use(corners_of(one, nodes), side++);
    }
    for (int i = 0; i < mesh_.boundary.size(); ++i) {
      Corners corners{};
      if (mesh_.boundary[i].size() <= 4)
        for (const int node : mesh_.boundary[i]) corners.add(node);
      use(corners, sides_ + static_cast<Side>(i));
    }
  }

  void sort_into_lists() {
    begin_.assign(static_cast<std::size_t>(mesh_.nodes()) + 1, 0);
    each_side([&](int smallest, const Corners &, Side) { ++begin_[static_cast<std::size_t>(smallest) + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    keys_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each_side([&](int smallest, const Corners &corners, Side side) {
      keys_[next[static_cast<std::size_t>(smallest)]++] = key_of(corners, side);
    });
  }

  void match(std::size_t node) {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(begin_[node]);
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(begin_[node + 1]);
    std::sort(begin, end);
    for (auto first = begin; first != end;) {
      const auto behind = std::find_if(first, end, [&](const Key &key) { return !key.same_face(*first); });
      match_one({&*first, static_cast<std::size_t>(behind - first)});
      first = behind;
    }
  }

  // All that have the same nodes: sides of cells, then listed faces.
  void match_one(std::span<const Key> same) {
    const auto listed = std::find_if(same.begin(), same.end(), [&](const Key &key) { return key.side >= sides_; });
    const auto count = static_cast<std::size_t>(listed - same.begin());
    if (count > 2 || (count == 2 && cell(same[0]) == cell(same[1]))) ++out_.non_manifold;
    if (count >= 2 && cell(same[0]) != cell(same[1])) {
      partner_[same[0].side] = same[1].side;
      partner_[same[1].side] = same[0].side;
    }
    if (count == 1 && listed != same.end())
      patch_[same[0].side] = patch_number(static_cast<std::size_t>(listed->side - sides_));
    else
      out_.unmatched += static_cast<int>(same.end() - listed);
  }

  int cell(const Key &key) const { return cell_of_[key.side]; }
  int patch_number(std::size_t face) const {
    return mesh_.patches[static_cast<std::size_t>(mesh_.boundary_patch[face])].id;
  }

  void emit() {
    out_.arity = mesh_.cell_dim == 2 ? 2 : mesh_.block(CellType::tetrahedron).size() == mesh_.cells ? 3 : 4;
    std::size_t faces = 0;
    for (const Side partner : partner_) faces += partner != no_side;
    out_.face_cells.reserve(faces);
    out_.face_nodes.reserve(faces / 2 * static_cast<std::size_t>(out_.arity));
    for (std::size_t i = 0; i < cells_.size(); ++i) emit_cell(static_cast<int>(i), cells_[i]);
  }

  void emit_cell(int number, const Cell &cell) {
    const std::span<const CellSide> sides = shape(cell.type).sides;
    const int *nodes = nodes_of(cell);
    const bool turned = mesh_.dim == mesh_.cell_dim &&
                        cell_volume(mesh_, cell.type, {nodes, static_cast<std::size_t>(shape(cell.type).nodes)}) < 0;
    std::array<std::pair<int, std::size_t>, 6> inside; // right cell and side
    std::size_t count = 0;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const Side side = cell.first + static_cast<Side>(k), partner = partner_[side];
      const Corners corners = corners_of(sides[k], nodes);
      if (corners.count < mesh_.cell_dim) continue;
      if (partner == no_side)
        emit_boundary(number, side, corners, turned);
      else if (partner > side)
        inside[count++] = {cell_of_[partner], k};
    }
    sort_few(inside.data(), static_cast<int>(count));
    for (std::size_t k = 0; k < count; ++k) {
      out_.face_cells.push_back(number);
      out_.face_cells.push_back(inside[k].first);
      emit_nodes(out_.face_nodes, corners_of(sides[inside[k].second], nodes), turned);
    }
  }

  void emit_boundary(int number, Side side, const Corners &corners, bool turned) {
    out_.boundary_cell.push_back(number);
    out_.boundary_patch.push_back(patch_[side]);
    out_.unnamed += patch_[side] == no_patch;
    emit_nodes(out_.boundary_nodes, corners, turned);
  }

  void emit_nodes(std::vector<int> &to, const Corners &corners, bool turned) const {
    for (int k = 0; k < out_.arity; ++k) {
      const int place = std::min(k, corners.count - 1);
      to.push_back(corners.node[static_cast<std::size_t>(turned ? corners.count - 1 - place : place)]);
    }
  }

  const MeshFile &mesh_;
  Connectivity out_;
  Side sides_ = 0;
  std::vector<Cell> cells_;
  std::vector<int> cell_of_;
  std::vector<Side> partner_;
  std::vector<int> patch_;         // of each side, as the file numbers it
  std::vector<std::size_t> begin_; // of each node's list
  std::vector<Key> keys_;
};

// Faces that the file gives, with rows of equal length.
Connectivity connect_given(const MeshFile &mesh, const GivenFaces &given, const std::vector<int> &patches) {
  Connectivity out;
  out.unmatched = given.unmatched;
  out.non_manifold = given.non_manifold;
  for (int i = 0; i < given.nodes.size(); ++i) out.arity = std::max(out.arity, static_cast<int>(given.nodes[i].size()));
  const auto interior = static_cast<int>(given.right.size());
  const auto add = [&](std::vector<int> &to, std::span<const int> face) {
    to.insert(to.end(), face.begin(), face.end());
    to.insert(to.end(), static_cast<std::size_t>(out.arity) - face.size(), face.back());
  };
  for (int i = 0; i < given.nodes.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i < interior) {
      add(out.face_nodes, given.nodes[i]);
      out.face_cells.insert(out.face_cells.end(), {given.left[at], given.right[at]});
    } else {
      const int place = patches[at - given.right.size()];
      const int patch = place < 0 ? no_patch : mesh.patches[static_cast<std::size_t>(place)].id;
      add(out.boundary_nodes, given.nodes[i]);
      out.boundary_cell.push_back(given.left[at]);
      out.boundary_patch.push_back(patch);
      out.unnamed += patch == no_patch;
    }
  }
  return out;
}

} // namespace

Connectivity connect(const MeshFile &mesh) {
  if (mesh.has_faces()) return connect_given(mesh, mesh.faces, mesh.boundary_patch);
  if (mesh.free.size() == 0) return SideMatcher(mesh).run();
  std::vector<int> patches;
  const GivenFaces faces = match_free_sides(mesh, patches);
  return connect_given(mesh, faces, patches);
}

std::span<const int> face_row(std::span<const int> nodes, int arity, int face) {
  const auto width = static_cast<std::size_t>(arity);
  std::span<const int> row = nodes.subspan(static_cast<std::size_t>(face) * width, width);
  while (row.size() > 1 && row.back() == row[row.size() - 2]) row = row.first(row.size() - 1);
  return row;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
