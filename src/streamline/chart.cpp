#include "streamline/chart.hpp"

namespace op2::core::streamline {

namespace {

// From which products of coordinates are counted. In the base of a pyramid, far from its tip.
Vector middle_of(CellType type) {
  switch (type) {
    case CellType::quadrangle:
    case CellType::pyramid:
      return {0.5, 0.5, 0};
    case CellType::prism:
      return {1.0 / 3, 1.0 / 3, 0.5};
    case CellType::hexahedron:
      return {0.5, 0.5, 0.5};
    default:
      return {};
  }
}

// The rows of the inverse matrix. False: it has none.
bool invert(const std::array<Vector, 3> &column, std::array<Vector, 3> &row) {
  const auto &[u, v, w] = column;
  row = {cross(v, w), cross(w, u), cross(u, v)};
  const double by = 1 / dot(u, row[0]);
  for (Vector &its : row)
    for (double &x : its) x *= by;
  return std::isfinite(by);
}

// The product of a pyramid, a b / (1 - c), is not a polynomial: from the middle it is counted without its linear part.
Bent<double> pyramid_at(const Vector &bend, const Vector &s) {
  const double a = 0.5 + s[0], b = 0.5 + s[1], up = inverse_height(s[2]);
  const double value = a * b * up - (0.25 + 0.5 * s[0] + 0.5 * s[1] + 0.25 * s[2]);
  const Vector slope{b * up - 0.5, a * up - 0.5, a * b * up * up - 0.25};
  Bent<double> out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.value[k] = value * bend[k];
    for (std::size_t i = 0; i < 3; ++i) out.slope[i][k] = slope[i] * bend[k];
  }
  return out;
}

} // namespace

bool Chart::set(CellType type, const Interpolation &positions) {
  if (is_simplex(type)) {
    const auto &[at_0, a, b, c] = positions.factors().linear;
    inverse_.origin = at_0;
    type_ = type;
    straight_ = true;
    return invert({a, b, c}, inverse_.row);
  }
  const Vector middle = middle_of(type);
  const std::array<Vector, 3> slope = positions.slopes(middle);
  if (!invert(slope, inverse_.row)) return false;
  type_ = type;
  straight_ = true;
  inverse_.middle = middle;
  inverse_.origin = positions.value(middle);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) inverse_.origin[k] -= middle[i] * slope[i][k];
  constexpr double little = 1e-12; // of the cell's size: less does not count
  const std::array<Vector, 4> products = positions.products_from(middle);
  for (std::size_t i = 0; i < products.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      inverse_.bend[i][k] = dot(inverse_.row[k], products[i]);
      straight_ = straight_ && std::abs(inverse_.bend[i][k]) <= little;
    }
  return true;
}

bool Chart::find_bent(Vector &at) const {
  const std::array<Vector, 4> &bend = inverse_.bend;
  if (type_ == CellType::pyramid)
    return bent_place(
        inverse_.middle, [&](const Vector &s) { return pyramid_at(bend[0], s); }, true, at);
  return bent_place(
      inverse_.middle, [&](const Vector &s) { return bent_at(bend, s); }, true, at);
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
