// Boxes of cells for the tests of streamlines: unit cubes (squares) cut into cells of every type.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "streamline/streamline.hpp"

namespace unit::streamline {

using namespace op2::core::streamline;
using op2::core::CellType;

// How a small cube is cut. mixed: hexahedra, prisms and pyramids beside each other, whole columns of prisms.
enum class Cut { quadrangles, triangles, hexahedra, tetrahedra, mixed };

struct BoxMesh {
  std::vector<double> x;
  std::unique_ptr<Cells> cells;
  std::unique_ptr<Locator> locator;

  int dim() const { return cells->dim(); }
  // A velocity at the nodes.
  std::vector<double> at_nodes(const std::function<Vector(const Vector &)> &velocity) const {
    std::vector<double> out;
    for (int node = 0; node < cells->nodes(); ++node) {
      Vector point{};
      for (int k = 0; k < dim(); ++k) point[static_cast<std::size_t>(k)] = cells->x(node)[k];
      const Vector v = velocity(point);
      out.insert(out.end(), v.begin(), v.begin() + dim());
    }
    return out;
  }
};

// n small cubes along each edge of the cube from -1 to 1. Nodes inside move at random by up to `jiggle` of a small
// edge. without: of small cubes, by their numbers along the axes, that are left out.
inline BoxMesh box(
    Cut cut, int n, double jiggle = 0,
    const std::function<bool(int, int, int)> &without = [](int, int, int) { return false; }) {
  const bool flat = cut == Cut::quadrangles || cut == Cut::triangles;
  const int dim = flat ? 2 : 3, layers = flat ? 1 : n, m = n + 1;
  BoxMesh out;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> moved(-jiggle / n, jiggle / n);
  for (int z = 0; z < (flat ? 1 : m); ++z)
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x)
        for (int k = 0; k < dim; ++k) {
          const bool border = x == 0 || y == 0 || x == n || y == n || (!flat && (z == 0 || z == n));
          const int at = k == 0 ? x : k == 1 ? y : z;
          out.x.push_back(-1 + 2.0 * at / n + (border || jiggle == 0 ? 0 : moved(random)));
        }
  std::array<std::vector<int>, 6> nodes; // by CellType
  const auto add = [&](CellType type, std::vector<int> cell) {
    std::vector<int> &to = nodes[static_cast<std::size_t>(type)];
    to.insert(to.end(), cell.begin(), cell.end());
  };
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        if (without(x, y, z)) continue;
        const auto node = [&](int i, int j, int k) { return ((z + k) * m + y + j) * m + x + i; };
        const std::array<int, 8> c = {node(0, 0, 0),
                                      node(1, 0, 0),
                                      node(1, 1, 0),
                                      node(0, 1, 0),
                                      flat ? 0 : node(0, 0, 1),
                                      flat ? 0 : node(1, 0, 1),
                                      flat ? 0 : node(1, 1, 1),
                                      flat ? 0 : node(0, 1, 1)};
        if (cut == Cut::quadrangles) add(CellType::quadrangle, {c[0], c[1], c[2], c[3]});
        if (cut == Cut::triangles) {
          add(CellType::triangle, {c[0], c[1], c[2]});
          add(CellType::triangle, {c[0], c[2], c[3]});
        }
        if (cut == Cut::hexahedra) add(CellType::hexahedron, {c.begin(), c.end()});
        if (cut == Cut::tetrahedra) // around the diagonal from corner 0 to 6
          for (const auto &[a, b] : {std::pair{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}})
            add(CellType::tetrahedron, {c[0], c[static_cast<std::size_t>(a)], c[static_cast<std::size_t>(b)], c[6]});
        if (cut != Cut::mixed) continue;
        const int kind = (x + 2 * y) % 3;
        if (kind == 0) {
          add(CellType::prism, {c[0], c[1], c[2], c[4], c[5], c[6]});
          add(CellType::prism, {c[0], c[2], c[3], c[4], c[6], c[7]});
        } else if (kind == 1 || z % 2 == 0) {
          add(CellType::hexahedron, {c.begin(), c.end()});
        } else {
          const int top = static_cast<int>(out.x.size()) / 3;
          for (std::size_t k = 0; k < 3; ++k) {
            double mean = 0;
            for (const int corner : c) mean += out.x[3 * static_cast<std::size_t>(corner) + k] / 8;
            out.x.push_back(mean);
          }
          for (const auto &base :
               {std::array{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}) {
            std::vector<int> cell;
            for (const int i : base) cell.push_back(c[static_cast<std::size_t>(i)]);
            cell.push_back(top);
            add(CellType::pyramid, cell);
          }
        }
      }
  out.cells = std::make_unique<Cells>(dim, out.x);
  for (std::size_t type = 0; type < nodes.size(); ++type)
    if (!nodes[type].empty()) out.cells->add(static_cast<CellType>(type), nodes[type]);
  out.cells->connect();
  out.locator = std::make_unique<Locator>(*out.cells);
  return out;
}

inline Vector random_point(std::mt19937 &random, int dim, double within = 1) {
  std::uniform_real_distribution<double> any(-within, within);
  return {any(random), any(random), dim == 3 ? any(random) : 0.0};
}

inline double distance(const Vector &a, const Vector &b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

} // namespace unit::streamline

// SPDX-License-Identifier: MIT
