#include "streamline/place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace op2::core::streamline {

namespace {

Vector sum(const Vector &p, const Vector &q) { return {p[0] + q[0], p[1] + q[1], p[2] + q[2]}; }
Vector difference(const Vector &p, const Vector &q) { return {p[0] - q[0], p[1] - q[1], p[2] - q[2]}; }
void add(Vector &to, double factor, const Vector &v) {
  for (std::size_t k = 0; k < 3; ++k) to[k] += factor * v[k];
}

// Of four nodes around a quadrangle: what bends it.
Vector twist(const Vector &p, const Vector &q, const Vector &r, const Vector &s) {
  return difference(sum(p, r), sum(q, s));
}

} // namespace

void Interpolation::set(CellType type, const std::array<Vector, most_nodes> &node) {
  const auto along = [&node](std::size_t to) { return difference(node[to], node[0]); };
  type_ = type;
  auto &linear = factors_.linear;
  auto &product = factors_.product;
  linear[0] = node[0];
  if (!is_simplex(type)) product = {};
  switch (type) {
    case CellType::triangle:
      linear[1] = along(1), linear[2] = along(2), linear[3] = {0, 0, 1};
      return;
    case CellType::tetrahedron:
      linear[1] = along(1), linear[2] = along(2), linear[3] = along(3);
      return;
    case CellType::quadrangle:
      linear[1] = along(1), linear[2] = along(3), linear[3] = {0, 0, 1};
      product[0] = twist(node[0], node[1], node[2], node[3]);
      return;
    case CellType::pyramid:
      linear[1] = along(1), linear[2] = along(3), linear[3] = along(4);
      product[0] = twist(node[0], node[1], node[2], node[3]);
      return;
    case CellType::prism:
      linear[1] = along(1), linear[2] = along(2), linear[3] = along(3);
      product[1] = twist(node[0], node[2], node[5], node[3]);
      product[2] = twist(node[0], node[1], node[4], node[3]);
      return;
    case CellType::hexahedron:
      linear[1] = along(1), linear[2] = along(3), linear[3] = along(4);
      product[0] = twist(node[0], node[1], node[2], node[3]);
      product[1] = twist(node[0], node[3], node[7], node[4]);
      product[2] = twist(node[0], node[1], node[5], node[4]);
      product[3] = difference(twist(node[4], node[5], node[6], node[7]), product[0]);
      return;
    default:
      return; // Cells has none of these
  }
}

Vector Interpolation::of_pyramid(const Vector &at, Vector linear) const {
  add(linear, at[0] * at[1] * inverse_height(at[2]), factors_.product[0]);
  return linear;
}

std::array<Vector, 3> Interpolation::slopes(const Vector &at) const {
  const auto &[ab, bc, ca, abc] = factors_.product;
  std::array<Vector, 3> out = {factors_.linear[1], factors_.linear[2], factors_.linear[3]};
  if (is_simplex(type_)) return out;
  const auto [a, b, c] = at;
  if (type_ == CellType::pyramid) {
    const double up = inverse_height(c);
    add(out[0], b * up, ab);
    add(out[1], a * up, ab);
    add(out[2], a * b * up * up, ab);
    return out;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    out[0][k] += b * ab[k] + c * ca[k] + b * c * abc[k];
    out[1][k] += a * ab[k] + c * bc[k] + c * a * abc[k];
    out[2][k] += b * bc[k] + a * ca[k] + a * b * abc[k];
  }
  return out;
}

std::array<Vector, 4> Interpolation::products_from(const Vector &middle) const {
  std::array<Vector, 4> out = factors_.product;
  const Vector &abc = factors_.product[3];
  add(out[0], middle[2], abc);
  add(out[1], middle[0], abc);
  add(out[2], middle[1], abc);
  return out;
}

Box box_around(std::span<const Vector> points) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box out{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Vector &point : points)
    for (std::size_t k = 0; k < 3; ++k) {
      out.low[k] = std::min(out.low[k], point[k]);
      out.high[k] = std::max(out.high[k], point[k]);
    }
  for (std::size_t k = 0; k < 3; ++k) {
    const double more = 1e-6 * (out.high[k] - out.low[k]);
    out.low[k] -= more, out.high[k] += more;
  }
  return out;
}

Box box_of(const Cells &cells, int cell) {
  const std::array<Vector, most_nodes> x = values_of(cells, cell, cells.x(0));
  return box_around(std::span(x).first(cells.nodes_of(cell).size()));
}

double cell_size(const Cells &cells, int cell) {
  double volume = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cells.dim()); ++k) {
    double low = 0, high = 0;
    bool first = true;
    for (const int node : cells.nodes_of(cell)) {
      const double x = cells.x(node)[k];
      low = first ? x : std::min(low, x);
      high = first ? x : std::max(high, x);
      first = false;
    }
    volume *= high - low;
  }
  return std::pow(volume, 1.0 / cells.dim());
}

std::array<Vector, most_nodes> values_of(const Cells &cells, int cell, const double *values) {
  std::array<Vector, most_nodes> out{};
  const std::span<const int> nodes = cells.nodes_of(cell);
  const auto dim = static_cast<std::size_t>(cells.dim());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t k = 0; k < dim; ++k) out[i][k] = values[static_cast<std::size_t>(nodes[i]) * dim + k];
  return out;
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
