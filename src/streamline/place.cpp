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

// Of a pyramid's square at height c. In the apex nothing is left of the square and of what bends it.
double inverse_height(double c) { return std::abs(1 - c) > 1e-12 ? 1 / (1 - c) : 0; }

// Of four nodes around a quadrangle: what bends it.
Vector twist(const Vector &p, const Vector &q, const Vector &r, const Vector &s) {
  return difference(sum(p, r), sum(q, s));
}

} // namespace

void Interpolation::set(CellType type, const std::array<Vector, most_nodes> &node) {
  const auto along = [&node](std::size_t to) { return difference(node[to], node[0]); };
  type_ = type;
  linear_[0] = node[0];
  switch (type) {
    case CellType::triangle:
      linear_[1] = along(1), linear_[2] = along(2), linear_[3] = {0, 0, 1};
      return;
    case CellType::tetrahedron:
      linear_[1] = along(1), linear_[2] = along(2), linear_[3] = along(3);
      return;
    case CellType::quadrangle:
      linear_[1] = along(1), linear_[2] = along(3), linear_[3] = {0, 0, 1};
      more_[0] = twist(node[0], node[1], node[2], node[3]);
      return;
    case CellType::pyramid:
      linear_[1] = along(1), linear_[2] = along(3), linear_[3] = along(4);
      more_[0] = twist(node[0], node[1], node[2], node[3]);
      return;
    case CellType::prism:
      linear_[1] = along(1), linear_[2] = along(2), linear_[3] = along(3);
      more_[1] = twist(node[0], node[2], node[5], node[3]);
      more_[2] = twist(node[0], node[1], node[4], node[3]);
      return;
    case CellType::hexahedron:
      linear_[1] = along(1), linear_[2] = along(3), linear_[3] = along(4);
      more_[0] = twist(node[0], node[1], node[2], node[3]);
      more_[1] = twist(node[0], node[3], node[7], node[4]);
      more_[2] = twist(node[0], node[1], node[5], node[4]);
      more_[3] = difference(twist(node[4], node[5], node[6], node[7]), more_[0]);
      return;
    default:
      return; // Cells has none of these
  }
}

Vector Interpolation::value(const Vector &at) const {
  const auto [a, b, c] = at;
  Vector out = linear_[0];
  add(out, a, linear_[1]);
  add(out, b, linear_[2]);
  add(out, c, linear_[3]);
  switch (type_) {
    case CellType::quadrangle:
      add(out, a * b, more_[0]);
      break;
    case CellType::pyramid:
      add(out, a * b * inverse_height(c), more_[0]);
      break;
    case CellType::prism:
      add(out, b * c, more_[1]);
      add(out, c * a, more_[2]);
      break;
    case CellType::hexahedron:
      add(out, a * b, more_[0]);
      add(out, b * c, more_[1]);
      add(out, c * a, more_[2]);
      add(out, a * b * c, more_[3]);
      break;
    default:
      break;
  }
  return out;
}

std::array<Vector, 3> Interpolation::slopes(const Vector &at) const {
  const auto [a, b, c] = at;
  std::array<Vector, 3> out = {linear_[1], linear_[2], linear_[3]};
  switch (type_) {
    case CellType::quadrangle:
      add(out[0], b, more_[0]);
      add(out[1], a, more_[0]);
      break;
    case CellType::pyramid: {
      const double up = inverse_height(c);
      add(out[0], b * up, more_[0]);
      add(out[1], a * up, more_[0]);
      add(out[2], a * b * up * up, more_[0]);
      break;
    }
    case CellType::prism:
      add(out[0], c, more_[2]);
      add(out[1], c, more_[1]);
      add(out[2], b, more_[1]);
      add(out[2], a, more_[2]);
      break;
    case CellType::hexahedron:
      add(out[0], b, more_[0]);
      add(out[0], c, more_[2]);
      add(out[0], b * c, more_[3]);
      add(out[1], a, more_[0]);
      add(out[1], c, more_[1]);
      add(out[1], c * a, more_[3]);
      add(out[2], b, more_[1]);
      add(out[2], a, more_[2]);
      add(out[2], a * b, more_[3]);
      break;
    default:
      break;
  }
  return out;
}

Box box_around(std::span<const Vector> points) {
  Box out;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector &point : points) {
      low = std::min(low, point[k]);
      high = std::max(high, point[k]);
    }
    const double more = 1e-6 * (high - low);
    out.low[k] = low - more, out.high[k] = high + more;
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

void depths(CellType type, const Vector &at, std::array<double, most_sides> &out) {
  const double a = at[0], b = at[1], c = at[2];
  switch (type) {
    case CellType::triangle:
      out = {b, 1 - a - b, a};
      return;
    case CellType::quadrangle:
      out = {b, 1 - a, 1 - b, a};
      return;
    case CellType::tetrahedron:
      out = {c, b, 1 - a - b - c, a};
      return;
    case CellType::pyramid:
      out = {c, b, 1 - c - a, 1 - c - b, a};
      return;
    case CellType::prism:
      out = {c, 1 - c, b, 1 - a - b, a};
      return;
    case CellType::hexahedron:
      out = {c, 1 - c, b, 1 - a, 1 - b, a};
      return;
    default:
      return;
  }
}

Vector middle(CellType type) {
  switch (type) {
    case CellType::triangle:
      return {1.0 / 3, 1.0 / 3, 0};
    case CellType::tetrahedron:
      return {0.25, 0.25, 0.25};
    case CellType::quadrangle:
      return {0.5, 0.5, 0};
    case CellType::pyramid:
      return {0.375, 0.375, 0.25};
    case CellType::prism:
      return {1.0 / 3, 1.0 / 3, 0.5};
    default:
      return {0.5, 0.5, 0.5};
  }
}

namespace {

// Solves the columns' system: sum of column[k] * out[k] = right. False where it has no solution.
bool solve(const std::array<Vector, 3> &column, const Vector &right, Vector &out) {
  const auto &[u, v, w] = column;
  const auto cross = [](const Vector &p, const Vector &q) {
    return Vector{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  const auto dot = [](const Vector &p, const Vector &q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const Vector vw = cross(v, w), ru = cross(right, u);
  const double by = 1 / dot(u, vw);
  out = {dot(right, vw) * by, -dot(w, ru) * by, dot(v, ru) * by};
  return std::isfinite(out[0]) && std::isfinite(out[1]) && std::isfinite(out[2]);
}

} // namespace

bool locate(CellType type, const Interpolation &positions, const Vector &point, Vector &at) {
  constexpr int most_steps = 8;
  constexpr double close = 1e-12, far = 4; // of steps, and from the middle of the reference shape
  const bool simplex = type == CellType::triangle || type == CellType::tetrahedron;
  const bool flat = type == CellType::triangle || type == CellType::quadrangle;
  const Vector centre = middle(type);
  if (simplex) at = {};
  for (int step = 0; step < most_steps; ++step) {
    Vector rest = difference(point, positions.value(at)), change;
    if (flat) rest[2] = 0;
    if (!solve(positions.slopes(at), rest, change)) return false;
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] += change[k];
      if (!simplex) at[k] = std::clamp(at[k], centre[k] - far, centre[k] + far);
      largest = std::max(largest, std::abs(change[k]));
    }
    if (simplex || largest < close) return true;
  }
  return false;
}

} // namespace op2::core::streamline
