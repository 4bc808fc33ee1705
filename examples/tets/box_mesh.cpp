// box_mesh.cpp: see box_mesh.hpp.
#include "box_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>

namespace box {
namespace {

using Point = std::array<int, 3>; // of the lattice, 0 ... n in each direction

// The six ways to walk along the three edges of a cube from its first corner to its last one (Kuhn, Freudenthal).
constexpr int walks[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

std::size_t place(int i) { return static_cast<std::size_t>(i); }

// The same numbers from every standard library, which std::shuffle and the distributions do not promise.
int below(std::mt19937 &random, int bound) {
  return static_cast<int>(random() * static_cast<std::uint64_t>(bound) >> 32);
}

// 0, 1, ..., size - 1; in random order with a seed.
std::vector<int> numbering(int size, int seed, unsigned what) {
  std::vector<int> out(place(size));
  std::iota(out.begin(), out.end(), 0);
  if (seed == 0) return out;
  std::mt19937 random(static_cast<unsigned>(seed) * 8 + what);
  for (int i = size - 1; i > 0; --i) std::swap(out[place(i)], out[place(below(random, i + 1))]);
  return out;
}

// Rows in a random order.
void reorder(std::vector<int> &rows, int dim, const std::vector<int> &order) {
  std::vector<int> out(rows.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(order[n]) * dim, dim,
                out.begin() + static_cast<std::ptrdiff_t>(n) * dim);
  rows.swap(out);
}

class Builder {
 public:
  explicit Builder(const Shape &shape) : shape_(shape), n_(shape.n) {
    mesh_.nnode = (n_ + 1) * (n_ + 1) * (n_ + 1);
    number_ = numbering(mesh_.nnode, shape.shuffle, 0);
  }

  Mesh build() {
    place_nodes();
    for (int k = 0; k < n_; ++k)
      for (int j = 0; j < n_; ++j)
        for (int i = 0; i < n_; ++i) split_cube({i, j, k});
    mesh_.ncell = static_cast<int>(mesh_.cell_nodes.size() / 4);
    mesh_.nface = static_cast<int>(mesh_.side.size());
    if (shape_.shuffle != 0) {
      reorder(mesh_.cell_nodes, 4, numbering(mesh_.ncell, shape_.shuffle, 1));
      const std::vector<int> order = numbering(mesh_.nface, shape_.shuffle, 2);
      reorder(mesh_.face_nodes, 3, order);
      reorder(mesh_.side, 1, order);
    }
    find_edges();
    return std::move(mesh_);
  }

 private:
  int node(const Point &p) const { return number_[place(p[0] + (n_ + 1) * (p[1] + (n_ + 1) * p[2]))]; }

  // The number of a node does not decide where it is: a shuffled mesh is the same mesh.
  void place_nodes() {
    std::mt19937 random(12345);
    mesh_.x.resize(3 * place(mesh_.nnode));
    for (int k = 0; k <= n_; ++k)
      for (int j = 0; j <= n_; ++j)
        for (int i = 0; i <= n_; ++i) {
          const Point p = {i, j, k};
          const bool inside = std::all_of(p.begin(), p.end(), [&](int c) { return c > 0 && c < n_; });
          for (std::size_t d = 0; d < 3; ++d) {
            const double move = inside ? shape_.jiggle * 1e-2 * (static_cast<double>(random()) * 0x1p-31 - 1.0) : 0.0;
            mesh_.x[3 * place(node(p)) + d] = static_cast<float>((p[d] + move) / n_);
          }
        }
  }

  void split_cube(const Point &origin) {
    for (const auto &walk : walks) {
      std::array<Point, 4> corner;
      corner[0] = origin;
      for (std::size_t s = 0; s < 3; ++s) {
        corner[s + 1] = corner[s];
        ++corner[s + 1][place(walk[s])];
      }
      std::array<int, 4> nodes;
      std::transform(corner.begin(), corner.end(), nodes.begin(), [this](const Point &p) { return node(p); });
      std::sort(nodes.begin(), nodes.end());
      mesh_.cell_nodes.insert(mesh_.cell_nodes.end(), nodes.begin(), nodes.end());
      for (std::size_t opposite = 0; opposite < 4; ++opposite)
        add_face(corner[(opposite + 1) % 4], corner[(opposite + 2) % 4], corner[(opposite + 3) % 4]);
    }
  }

  // Keep a face if it lies on a side of the box.
  void add_face(const Point &a, const Point &b, const Point &c) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (a[d] != b[d] || a[d] != c[d] || (a[d] != 0 && a[d] != n_)) continue;
      const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
      const int normal = (b[e] - a[e]) * (c[f] - a[f]) - (b[f] - a[f]) * (c[e] - a[e]);
      const bool high = a[d] == n_, outwards = (normal > 0) == high;
      mesh_.face_nodes.insert(mesh_.face_nodes.end(), {node(a), node(outwards ? b : c), node(outwards ? c : b)});
      mesh_.side.push_back(static_cast<int>(2 * d) + (high ? 1 : 0));
    }
  }

  // Each pair of nodes once, as a 64-bit number that sorts like the pair.
  void find_edges() {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(6 * place(mesh_.ncell));
    each_pair([&](std::uint64_t pair) { pairs.push_back(pair); });
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    mesh_.nedge = static_cast<int>(pairs.size());

    const std::vector<int> order = numbering(mesh_.nedge, shape_.shuffle, 3);
    mesh_.edge_nodes.resize(2 * pairs.size());
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      mesh_.edge_nodes[2 * place(order[n])] = static_cast<int>(pairs[n] >> 32);
      mesh_.edge_nodes[2 * place(order[n]) + 1] = static_cast<int>(pairs[n] & 0xffffffffU);
    }
    mesh_.cell_edges.reserve(6 * place(mesh_.ncell));
    each_pair([&](std::uint64_t pair) {
      const auto found = std::lower_bound(pairs.begin(), pairs.end(), pair);
      mesh_.cell_edges.push_back(order[static_cast<std::size_t>(found - pairs.begin())]);
    });
  }

  template <class Take>
  void each_pair(const Take &take) const {
    for (std::size_t cell = 0; cell < mesh_.cell_nodes.size(); cell += 4)
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = a + 1; b < 4; ++b)
          take(static_cast<std::uint64_t>(mesh_.cell_nodes[cell + a]) << 32 |
               static_cast<std::uint64_t>(mesh_.cell_nodes[cell + b]));
  }

  Shape shape_;
  int n_;
  std::vector<int> number_; // of each point of the lattice
  Mesh mesh_;
};

} // namespace

Mesh make_mesh(const Shape &shape) {
  if (shape.n < 1 || shape.n > largest_n) throw std::invalid_argument("the mesh needs n from 1 to 100");
  if (shape.jiggle < 0 || shape.jiggle > 20) throw std::invalid_argument("jiggle must be from 0 to 20 percent");
  if (shape.shuffle < 0) throw std::invalid_argument("the seed for shuffling must not be negative");
  return Builder(shape).build();
}

} // namespace box

// SPDX-License-Identifier: MIT
