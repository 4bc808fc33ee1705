#include "meshfile/geometry.hpp"

#include <utility>

namespace op2::core {

Point mean_point(const MeshFile &mesh, std::span<const int> nodes) {
  Point sum{};
  for (const int node : nodes) sum = sum + point(mesh, node);
  return (1.0 / static_cast<double>(nodes.size())) * sum;
}

Point face_normal(const MeshFile &mesh, std::span<const int> face) {
  const Point first = point(mesh, face.front());
  if (mesh.cell_dim == 2) {
    const Point along = point(mesh, face[1]) - first;
    return {along[1], -along[0], 0};
  }
  Point sum{};
  for (std::size_t i = 1; i + 1 < face.size(); ++i)
    sum = sum + cross(point(mesh, face[i]) - first, point(mesh, face[i + 1]) - first);
  return 0.5 * sum;
}

namespace {

double flat_area(const MeshFile &mesh, std::span<const int> nodes) {
  const Point first = point(mesh, nodes[0]);
  Point sum{};
  for (std::size_t i = 1; i + 1 < nodes.size(); ++i)
    sum = sum + cross(point(mesh, nodes[i]) - first, point(mesh, nodes[i + 1]) - first);
  return 0.5 * (mesh.dim == 2 ? sum[2] : length(sum));
}

} // namespace

double cell_volume(const MeshFile &mesh, CellType type, std::span<const int> nodes) {
  if (shape(type).dim == 2) return flat_area(mesh, nodes);
  const Point first = point(mesh, nodes[0]);
  if (type == CellType::tetrahedron)
    return dot(cross(point(mesh, nodes[1]) - first, point(mesh, nodes[2]) - first), point(mesh, nodes[3]) - first) / 6;
  double six = 0;
  for (const CellSide &side : shape(type).sides) { // each as triangles around its middle
    std::array<Point, 4> corner{};
    const auto corners = static_cast<std::size_t>(side.nodes);
    Point middle{};
    for (std::size_t k = 0; k < corners; ++k) {
      corner[k] = point(mesh, nodes[static_cast<std::size_t>(side.node[k])]) - first;
      middle = middle + corner[k];
    }
    middle = (1.0 / side.nodes) * middle;
    for (std::size_t k = 0; k < corners; ++k) six += dot(cross(corner[k], corner[(k + 1) % corners]), middle);
  }
  return six / 6;
}

void turn_prisms(MeshFile &mesh) {
  std::vector<int> &nodes = mesh.block(CellType::prism).nodes;
  for (const int node : nodes)
    if (node < 0 || node >= mesh.nodes()) return; // refused later
  for (std::size_t at = 0; at + 6 <= nodes.size() && mesh.dim == 3; at += 6)
    if (cell_volume(mesh, CellType::prism, {nodes.data() + at, 6}) < 0) {
      std::swap(nodes[at + 1], nodes[at + 2]);
      std::swap(nodes[at + 4], nodes[at + 5]);
    }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
