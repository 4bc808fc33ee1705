// Points and volumes.
#pragma once

#include <array>
#include <cmath>

#include "meshfile/mesh_file.hpp"

namespace op2::core {

using Point = std::array<double, 3>;

inline Point operator-(const Point &a, const Point &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Point operator+(const Point &a, const Point &b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Point operator*(double s, const Point &a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Point &a, const Point &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Point cross(const Point &a, const Point &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Point &a) { return std::sqrt(dot(a, a)); }

inline Point point(const MeshFile &mesh, int node) {
  const double *x = mesh.x.data() + static_cast<std::size_t>(node) * static_cast<std::size_t>(mesh.dim);
  return {x[0], x[1], mesh.dim == 3 ? x[2] : 0.0};
}

// Volume, or area, of a cell given by its nodes: negative if their orientation is wrong. The area in three coordinates
// has no sign.
double cell_volume(const MeshFile &mesh, CellType type, std::span<const int> nodes);

// The normal of a face, as long as its area. In two dimensions it lies to the right of the edge.
Point face_normal(const MeshFile &mesh, std::span<const int> face);

// Reverses prisms of negative volume. In VTK the normal of a prism's first triangle points outwards, in other formats
// inwards, and files have both.
void turn_prisms(MeshFile &mesh);

Point mean_point(const MeshFile &mesh, std::span<const int> nodes);

} // namespace op2::core

// SPDX-License-Identifier: MIT
