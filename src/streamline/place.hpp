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

namespace op2::core::streamline {

using Vector = std::array<double, 3>; // with two coordinates the last one is 0

inline bool finite(const Vector &v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

struct Place {
  int cell = -1;
  Vector at{};
};

// A point may be so far out of a cell, in reference coordinates, and still belong to it: what rounding does to points
// on its sides.
inline constexpr double rounding = 1e-10;

// Interpolation in one cell, of positions or velocities: a sum of products of reference coordinates. Which ones depends
// on the type: 1 a b c of simplices, and besides these ab bc ca abc of a hexahedron, ab of a quadrangle, ca bc of a
// prism, ab / (1 - c) of a pyramid.
class Interpolation {
 public:
  Interpolation() = default;
  Interpolation(CellType type, const std::array<Vector, most_nodes> &node) { set(type, node); }
  // node: the values at the cell's nodes.
  void set(CellType type, const std::array<Vector, most_nodes> &node);

  Vector value(const Vector &at) const;
  // The derivatives by the three reference coordinates; by the third one of two-dimensional cells: (0, 0, 1).
  std::array<Vector, 3> slopes(const Vector &at) const;

 private:
  CellType type_ = CellType::tetrahedron;
  std::array<Vector, 4> linear_{}; // factors of 1, a, b, c
  std::array<Vector, 4> more_{};   // of the products that the type has
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
void depths(CellType type, const Vector &at, std::array<double, most_sides> &out);

// The reference coordinates of a point in the cell with these positions. Not for simplices: by Newton's method from
// `at`, in at most eight steps. False: the cell is degenerate, or there are none (far outside of distorted cells); `at`
// is then the last attempt.
bool locate(CellType type, const Interpolation &positions, const Vector &point, Vector &at);

// Where Newton's method begins without a better knowledge.
Vector middle(CellType type);

} // namespace op2::core::streamline
