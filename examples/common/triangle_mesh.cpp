// triangle_mesh.cpp: see triangle_mesh.hpp.
#include "triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <stdexcept>

namespace triangles {
namespace {

std::size_t place(int i) { return static_cast<std::size_t>(i); }

// A side of a triangle on the way around it. The two triangles of an edge go through it in opposite directions.
struct Side {
  int low, high, cell;
  bool upwards; // from low to high
};

class Builder {
 public:
  explicit Builder(const Shape &shape) : shape_(shape) {}

  Mesh build() {
    place_nodes();
    for (int j = 0; j < shape_.ny; ++j)
      for (int i = 0; i < shape_.nx; ++i) cut(i, j);
    mesh_.ncell = static_cast<int>(mesh_.cell_nodes.size() / 3);
    find_edges();
    mesh_.nedge = static_cast<int>(mesh_.edge_cells.size() / 2);
    mesh_.nbedge = static_cast<int>(mesh_.bedge_cell.size());
    return std::move(mesh_);
  }

 private:
  int node(int i, int j) const { return i + (shape_.nx + 1) * j; }

  // From -1 to 1; the same numbers from every standard library, which its distributions do not promise.
  double random() { return static_cast<double>(random_()) * 0x1p-31 - 1; }

  void place_nodes() {
    const double dx = (shape_.high_x - shape_.low_x) / shape_.nx, dy = (shape_.high_y - shape_.low_y) / shape_.ny;
    for (int j = 0; j <= shape_.ny; ++j)
      for (int i = 0; i <= shape_.nx; ++i) {
        const bool inside = i > 0 && i < shape_.nx && j > 0 && j < shape_.ny;
        const double by = inside ? shape_.jiggle * 1e-2 : 0, move_x = by * random(), move_y = by * random();
        mesh_.x.push_back(shape_.low_x + dx * (i + move_x));
        mesh_.x.push_back(shape_.low_y + dy * (j + move_y));
      }
    mesh_.nnode = static_cast<int>(mesh_.x.size() / 2);
  }

  // A small rectangle into two triangles.
  void cut(int i, int j) {
    const int a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
    const bool rising = random() > 0;
    const std::array<int, 6> nodes = rising ? std::array{a, b, c, a, c, d} : std::array{a, b, d, b, c, d};
    mesh_.cell_nodes.insert(mesh_.cell_nodes.end(), nodes.begin(), nodes.end());
  }

  void find_edges() {
    std::vector<Side> sides;
    for (int cell = 0; cell < mesh_.ncell; ++cell)
      for (int k = 0; k < 3; ++k) {
        const int from = mesh_.cell_nodes[place(3 * cell + k)], to = mesh_.cell_nodes[place(3 * cell + (k + 1) % 3)];
        sides.push_back({std::min(from, to), std::max(from, to), cell, from < to});
      }
    std::sort(sides.begin(), sides.end(), [](const Side &one, const Side &other) {
      return std::array{one.low, one.high, one.cell} < std::array{other.low, other.high, other.cell};
    });
    for (std::size_t n = 0; n < sides.size(); ++n) {
      const Side &side = sides[n];
      const int from = side.upwards ? side.low : side.high, to = side.upwards ? side.high : side.low;
      if (n + 1 < sides.size() && sides[n + 1].low == side.low && sides[n + 1].high == side.high) {
        mesh_.edge_nodes.insert(mesh_.edge_nodes.end(), {from, to});
        mesh_.edge_cells.insert(mesh_.edge_cells.end(), {side.cell, sides[n + 1].cell});
        ++n;
      } else {
        mesh_.bedge_nodes.insert(mesh_.bedge_nodes.end(), {from, to});
        mesh_.bedge_cell.push_back(side.cell);
        mesh_.side.push_back(side_of(from, to));
      }
    }
  }

  int side_of(int from, int to) const {
    const int columns = shape_.nx + 1;
    if (from % columns == to % columns) return from % columns == 0 ? 0 : 1;
    return from / columns == 0 ? 2 : 3;
  }

  Shape shape_;
  std::mt19937 random_{12345};
  Mesh mesh_;
};

} // namespace

Mesh make_mesh(const Shape &shape) {
  constexpr int most = 4096;
  if (shape.nx < 1 || shape.ny < 1 || shape.nx > most || shape.ny > most)
    throw std::invalid_argument("a mesh needs nx and ny from 1 to 4096");
  if (shape.jiggle < 0 || shape.jiggle > 30) throw std::invalid_argument("jiggle must be from 0 to 30 percent");
  return Builder(shape).build();
}

} // namespace triangles

// SPDX-License-Identifier: MIT
