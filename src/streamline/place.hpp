// Where in a cell a point is: coordinates of the cell's reference shape, by which values at nodes are interpolated.
//
// Reference shapes: triangle and tetrahedron by barycentric coordinates of all nodes but the first; quadrangle and
// hexahedron the unit square and cube; prism a triangle (0, 1) times the unit interval (2); pyramid the corners
// (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1). Interpolation by them is exact for linear functions in every
// cell.
#pragma once

#include <array>
#include <cmath>

#include "streamline/cells.hpp"
#include "streamline/sums.hpp"

namespace op2::core::streamline {

using Vector = Vectors<double>; // with two coordinates the last one is 0

// The differences are zero, or no number.
inline bool finite(const Vector &v) { return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) == 0; }

inline bool is_simplex(CellType type) { return type == CellType::triangle || type == CellType::tetrahedron; }

struct Place {
  int cell = -1;
  Vector at{};
};

// A point may be so far out of a cell, in reference coordinates, and still belong to it: what rounding does to points
// on its sides.
inline constexpr double rounding = 1e-10;

// Of a pyramid's square at height c. In the apex nothing is left of the square and of what bends it.
inline double inverse_height(double c) { return std::abs(1 - c) > 1e-12 ? 1 / (1 - c) : 0; }

// Interpolation in one cell, of positions or velocities: a sum of products of reference coordinates. Which ones depends
// on the type: 1 a b c of simplices, and besides these ab bc ca abc of a hexahedron, ab of a quadrangle, bc ca of a
// prism, ab / (1 - c) of a pyramid.
class Interpolation {
 public:
  Interpolation() = default;
  Interpolation(CellType type, const std::array<Vector, most_nodes> &node) { set(type, node); }
  // node: the values at the cell's nodes.
  void set(CellType type, const std::array<Vector, most_nodes> &node);

  Vector value(const Vector &at) const {
    const Vector linear = linear_sum(factors_, at);
    if (is_simplex(type_)) return linear;
    if (type_ == CellType::pyramid) return of_pyramid(at, linear);
    return with_products(factors_, at, linear);
  }
  // The derivatives by the three reference coordinates; by the third one of two-dimensional cells: (0, 0, 1).
  std::array<Vector, 3> slopes(const Vector &at) const;
  // All have the same value everywhere.
  void set_constant(const Vector &value) {
    type_ = CellType::tetrahedron;
    factors_.linear = {value};
  }
  const Factors<double> &factors() const { return factors_; }
  // The factors of the products, if coordinates are counted from `middle`; of a pyramid as they are.
  std::array<Vector, 4> products_from(const Vector &middle) const;

 private:
  Vector of_pyramid(const Vector &at, Vector linear) const;
  CellType type_ = CellType::tetrahedron;
  Factors<double> factors_; // of a pyramid product[0] is that of its only product
};

struct Box {
  Vector low{}, high{};
};
// Around a cell, and a little larger, as points on its sides may be out of it by rounding.
Box box_of(const Cells &cells, int cell);
// The same around points.
Box box_around(std::span<const Vector> points);

// The edge of a cube (a square) as large as the box around the cell.
double cell_size(const Cells &cells, int cell);

// The values of a cell's nodes: [nodes][dim] of the mesh.
std::array<Vector, most_nodes> values_of(const Cells &cells, int cell, const double *values);

// How far inside of each side of the cell, in the order of its sides: negative outside.
inline void depths(CellType type, const Vector &at, std::array<double, most_sides> &out) {
  const auto [a, b, c] = at;
  switch (type) {
    case CellType::tetrahedron:
      out = {c, b, 1 - a - b - c, a};
      return;
    case CellType::hexahedron:
      out = {c, 1 - c, b, 1 - a, 1 - b, a};
      return;
    case CellType::prism:
      out = {c, 1 - c, b, 1 - a - b, a};
      return;
    case CellType::pyramid:
      out = {c, b, 1 - c - a, 1 - c - b, a};
      return;
    case CellType::triangle:
      out = {b, 1 - a - b, a};
      return;
    case CellType::quadrangle:
      out = {b, 1 - a, 1 - b, a};
      return;
    default:
      return;
  }
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
