// Faces of meshes with polyhedra or polygons: sides of any number of nodes, brought together by their sorted nodes.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "meshfile/connectivity.hpp"
#include "meshfile/geometry.hpp"

namespace op2::core {

namespace {

// Turns the sides of a polyhedron so that each edge is walked once in each direction. What is not closed stays as it
// is.
class SideTurner {
 public:
  explicit SideTurner(std::vector<std::vector<int>> &sides) : sides_(sides), done_(sides.size()) {}

  void run() {
    for (std::size_t i = 0; i < sides_.size(); ++i)
      for (std::size_t k = 0; k < sides_[i].size(); ++k) {
        const auto [a, b] = edge(i, k);
        at_edge_[std::minmax(a, b)].push_back(i);
      }
    for (std::size_t i = 0; i < sides_.size(); ++i) spread(i);
  }

 private:
  std::pair<int, int> edge(std::size_t side, std::size_t k) const {
    const std::vector<int> &nodes = sides_[side];
    return {nodes[k], nodes[(k + 1) % nodes.size()]};
  }
  bool has(std::size_t side, const std::pair<int, int> &wanted) const {
    for (std::size_t k = 0; k < sides_[side].size(); ++k)
      if (edge(side, k) == wanted) return true;
    return false;
  }

  // From one side to all that are reached through edges.
  void spread(std::size_t first) {
    if (done_[first]) return;
    done_[first] = true;
    std::vector<std::size_t> waiting = {first};
    while (!waiting.empty()) {
      const std::size_t side = waiting.back();
      waiting.pop_back();
      for (std::size_t k = 0; k < sides_[side].size(); ++k) {
        const std::pair<int, int> own = edge(side, k);
        const std::vector<std::size_t> &both = at_edge_.at(std::minmax(own.first, own.second));
        if (both.size() != 2) continue;
        const std::size_t other = both[0] == side ? both[1] : both[0];
        if (done_[other]) continue;
        if (has(other, own)) std::reverse(sides_[other].begin(), sides_[other].end());
        done_[other] = true;
        waiting.push_back(other);
      }
    }
  }

  std::vector<std::vector<int>> &sides_;
  std::vector<bool> done_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> at_edge_;
};

// The nodes of a side, each once.
std::vector<int> once(std::span<const int> nodes) {
  std::vector<int> out;
  for (const int node : nodes)
    if (std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
  return out;
}

class FreeMatcher {
 public:
  explicit FreeMatcher(const MeshFile &mesh) : mesh_(mesh) {}

  GivenFaces run(std::vector<int> &patches) {
    collect();
    sort_sides();
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t behind = first + 1;
      while (behind < order_.size() && std::ranges::equal(key_of(order_[first]), key_of(order_[behind]))) ++behind;
      match({order_.data() + first, behind - first});
      first = behind;
    }
    emit(patches);
    return std::move(out_);
  }

 private:
  static constexpr int none = -1;

  // All sides with their nodes in the order that looks outwards, cell by cell; then the faces that the file lists.
  void collect() {
    struct CellInBlock {
      CellType type;
      int index;
    };
    std::vector<CellInBlock> places(static_cast<std::size_t>(mesh_.cells), CellInBlock{CellType::polyhedron, none});
    for (std::size_t type = 0; type < mesh_.blocks.size(); ++type)
      for (int i = 0; i < mesh_.blocks[type].size(); ++i)
        places[static_cast<std::size_t>(mesh_.blocks[type].cells[static_cast<std::size_t>(i)])] = {
            static_cast<CellType>(type), i};
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
      const auto [type, index] = places[cell];
      std::vector<std::vector<int>> sides = index == none            ? std::vector<std::vector<int>>()
                                            : shape(type).nodes == 0 ? free_sides(index)
                                                                     : fixed_sides(type, index);
      for (const std::vector<int> &side : sides) add(side, static_cast<int>(cell));
    }
    cell_sides_ = nodes_.size();
    for (int i = 0; i < mesh_.boundary.size(); ++i) add(mesh_.boundary[i], none);
  }

  void add(std::span<const int> side, int cell) {
    nodes_.items.insert(nodes_.items.end(), side.begin(), side.end());
    nodes_.close();
    keys_.items.insert(keys_.items.end(), side.begin(), side.end());
    const auto begin = keys_.items.begin() + static_cast<std::ptrdiff_t>(keys_.begin.back());
    std::sort(begin, keys_.items.end());
    keys_.items.erase(std::unique(begin, keys_.items.end()), keys_.items.end());
    keys_.close();
    if (cell != none) cells_.push_back(cell);
    if (nodes_.size() == 2147483647) fail(OP_ERR_UNSUPPORTED, "the mesh has more than 2147483647 sides of cells");
  }

  std::vector<std::vector<int>> fixed_sides(CellType type, int index) const {
    const auto width = static_cast<std::size_t>(shape(type).nodes);
    const std::span<const int> nodes{mesh_.block(type).nodes.data() + static_cast<std::size_t>(index) * width, width};
    const bool turned = mesh_.dim == mesh_.cell_dim && cell_volume(mesh_, type, nodes) < 0;
    std::vector<std::vector<int>> out;
    for (const CellSide &side : shape(type).sides) {
      std::array<int, 4> all{};
      const auto corners = static_cast<std::size_t>(side.nodes);
      for (std::size_t k = 0; k < corners; ++k) all[k] = nodes[static_cast<std::size_t>(side.node[k])];
      std::vector<int> own = once({all.data(), corners});
      if (turned) std::reverse(own.begin(), own.end());
      if (static_cast<int>(own.size()) >= mesh_.cell_dim) out.push_back(std::move(own));
    }
    return out;
  }

  std::vector<std::vector<int>> free_sides(int index) const {
    const auto at = static_cast<std::size_t>(index);
    std::vector<std::vector<int>> out;
    for (int i = mesh_.free.begin[at]; i < mesh_.free.begin[at + 1]; ++i)
      if (std::vector<int> own = once(mesh_.free.sides[i]); static_cast<int>(own.size()) >= mesh_.cell_dim)
        out.push_back(std::move(own));
    if (mesh_.cell_dim == 3) SideTurner(out).run();
    if (mesh_.dim == mesh_.cell_dim && volume(out) < 0)
      for (std::vector<int> &side : out) std::reverse(side.begin(), side.end());
    return out;
  }

  // Only its sign is of use.
  double volume(const std::vector<std::vector<int>> &sides) const {
    if (sides.empty()) return 0;
    const Point first = point(mesh_, sides[0][0]);
    double out = 0;
    for (const std::vector<int> &side : sides) out += dot(face_normal(mesh_, side), mean_point(mesh_, side) - first);
    return out;
  }

  std::span<const int> key_of(int side) const { return keys_[side]; }

  void sort_sides() { // by their smallest nodes first, which takes no comparisons
    std::vector<std::size_t> begin(static_cast<std::size_t>(mesh_.nodes()) + 1);
    for (int i = 0; i < keys_.size(); ++i) ++begin[static_cast<std::size_t>(keys_[i][0]) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    order_.resize(static_cast<std::size_t>(keys_.size()));
    std::vector<std::size_t> next = begin;
    for (int i = 0; i < keys_.size(); ++i) order_[next[static_cast<std::size_t>(keys_[i][0])]++] = i;
    for (std::size_t node = 0; node + 1 < begin.size(); ++node)
      std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(begin[node]),
                       order_.begin() + static_cast<std::ptrdiff_t>(begin[node + 1]),
                       [&](int a, int b) { return std::ranges::lexicographical_compare(key_of(a), key_of(b)); });
    partner_.assign(static_cast<std::size_t>(cell_sides_), none);
    patch_.assign(static_cast<std::size_t>(cell_sides_), none);
  }

  // Sides of the same nodes: of cells, in their order, then listed faces.
  void match(std::span<const int> same) {
    const auto listed = std::find_if(same.begin(), same.end(), [&](int side) { return side >= cell_sides_; });
    const auto count = listed - same.begin();
    const bool two = count >= 2 && cell(same[0]) != cell(same[1]);
    if (count > 2 || (count == 2 && !two)) ++out_.non_manifold;
    if (two) {
      partner_[static_cast<std::size_t>(same[0])] = same[1];
      partner_[static_cast<std::size_t>(same[1])] = same[0];
    }
    if (count == 1 && listed != same.end())
      patch_[static_cast<std::size_t>(same[0])] = mesh_.boundary_patch[static_cast<std::size_t>(*listed - cell_sides_)];
    else
      out_.unmatched += static_cast<int>(same.end() - listed);
  }
  int cell(int side) const { return cells_[static_cast<std::size_t>(side)]; }

  void emit(std::vector<int> &patches) {
    std::vector<std::pair<int, int>> inside; // right cell and side, of one left cell
    const auto flush = [&] {
      std::sort(inside.begin(), inside.end());
      for (const auto &[right, side] : inside) put(side, right);
      inside.clear();
    };
    for (int side = 0; side < cell_sides_; ++side) {
      if (side > 0 && cell(side) != cell(side - 1)) flush();
      const int partner = partner_[static_cast<std::size_t>(side)];
      if (partner > side) inside.emplace_back(cell(partner), side);
    }
    flush();
    patches.clear();
    for (int side = 0; side < cell_sides_; ++side) {
      if (partner_[static_cast<std::size_t>(side)] != none) continue;
      put(side, none);
      patches.push_back(patch_[static_cast<std::size_t>(side)]);
    }
  }

  void put(int side, int right) {
    const std::span<const int> nodes = nodes_[side];
    out_.nodes.items.insert(out_.nodes.items.end(), nodes.begin(), nodes.end());
    out_.nodes.close();
    out_.left.push_back(cell(side));
    if (right != none) out_.right.push_back(right);
  }

  const MeshFile &mesh_;
  GivenFaces out_;
  Lists nodes_, keys_; // keys: sorted, each node once
  int cell_sides_ = 0;
  std::vector<int> cells_, order_, partner_, patch_; // of each side; patch: place in mesh_.patches
};

} // namespace

GivenFaces match_free_sides(const MeshFile &mesh, std::vector<int> &patches) { return FreeMatcher(mesh).run(patches); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
