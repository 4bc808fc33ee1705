#include "meshfile/quality.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "meshfile/geometry.hpp"

namespace op2::core {

namespace {

// Calls what(nodes, cell, other): interior faces with both cells, boundary faces with other = -1.
template <class F>
void each_face(const Connectivity &faces, F &&what) {
  for (int i = 0; i < faces.faces(); ++i) {
    const std::size_t at = 2 * static_cast<std::size_t>(i);
    what(face_row(faces.face_nodes, faces.arity, i), faces.face_cells[at], faces.face_cells[at + 1]);
  }
  for (int i = 0; i < faces.boundary_faces(); ++i)
    what(face_row(faces.boundary_nodes, faces.arity, i), faces.boundary_cell[static_cast<std::size_t>(i)], -1);
}

class MeshMeasure {
 public:
  MeshMeasure(const MeshFile &mesh, const Connectivity &faces) : mesh_(mesh), faces_(faces) {}

  Quality run() {
    find_centres();
    walk_faces();
    if (mesh_.cells > 0) judge_cells();
    bandwidth();
    duplicate_nodes();
    duplicate_cells();
    return out_;
  }

 private:
  struct Cell {
    Point centre{}, closure{};
    int corners = 0;
    double surface = 0, volume = 0, shortest = std::numeric_limits<double>::max(), longest = 0;
  };
  Cell &cell(int number) { return cells_[static_cast<std::size_t>(number)]; }

  void find_centres() { // of the nodes of its faces: a point inside, as far as that can be
    cells_.resize(static_cast<std::size_t>(mesh_.cells));
    used_.resize(static_cast<std::size_t>(mesh_.nodes()));
    each_face(faces_, [&](std::span<const int> nodes, int left, int right) {
      Point sum{};
      for (const int node : nodes) {
        sum = sum + point(mesh_, node);
        used_[static_cast<std::size_t>(node)] = true;
      }
      for (const int number : {left, right}) {
        if (number < 0) continue;
        cell(number).centre = cell(number).centre + sum;
        cell(number).corners += static_cast<int>(nodes.size());
      }
    });
    for (Cell &one : cells_)
      if (one.corners > 0) one.centre = (1.0 / one.corners) * one.centre;
    out_.unused_nodes = static_cast<int>(std::count(used_.begin(), used_.end(), false));
  }

  void walk_faces() {
    each_face(faces_, [&](std::span<const int> nodes, int left, int right) {
      const Point normal = face_normal(mesh_, nodes), middle = mean_point(mesh_, nodes);
      const double area = length(normal);
      add(cell(left), nodes, normal, middle, area);
      if (right >= 0) add(cell(right), nodes, -1.0 * normal, middle, area);
      const Point to = right >= 0 ? cell(right).centre : middle;
      if (mesh_.dim == mesh_.cell_dim && dot(to - cell(left).centre, normal) < 0) ++out_.turned_faces;
    });
  }

  void add(Cell &to, std::span<const int> nodes, const Point &outwards, const Point &middle, double area) const {
    to.closure = to.closure + outwards;
    to.surface += area;
    to.volume += dot(outwards, middle - to.centre) / mesh_.cell_dim;
    for (std::size_t i = 0; i < nodes.size() && (nodes.size() > 2 || i == 0); ++i) {
      const double edge = length(point(mesh_, nodes[(i + 1) % nodes.size()]) - point(mesh_, nodes[i]));
      to.shortest = std::min(to.shortest, edge);
      to.longest = std::max(to.longest, edge);
    }
  }

  // Cells given by their nodes have a volume with a sign of its own.
  void exact_volumes() {
    for (std::size_t type = 0; type < mesh_.blocks.size(); ++type) {
      const CellBlock &block = mesh_.blocks[type];
      const auto width = static_cast<std::size_t>(shape(static_cast<CellType>(type)).nodes);
      if (width == 0) continue;
      for (std::size_t i = 0; i < block.cells.size(); ++i) {
        double &volume = cell(block.cells[i]).volume;
        volume = cell_volume(mesh_, static_cast<CellType>(type), {block.nodes.data() + i * width, width});
        if (mesh_.format == "airfoil") volume = std::abs(volume); // cells count whichever way round they go
      }
    }
  }

  void judge_cells() {
    exact_volumes();
    out_.volume = {cells_[0].volume, cells_[0].volume, 0};
    for (const Cell &one : cells_) {
      out_.volume.least = std::min(out_.volume.least, one.volume);
      out_.volume.most = std::max(out_.volume.most, one.volume);
      out_.volume.sum += one.volume;
      const double size = std::pow(one.longest, mesh_.cell_dim);
      if (std::abs(one.volume) <= 1e-14 * size)
        ++out_.zero;
      else if (one.volume < 0)
        ++out_.negative;
      if (mesh_.dim == mesh_.cell_dim && length(one.closure) > 1e-6 * one.surface) ++out_.open_cells;
      const double aspect = one.shortest > 0 ? one.longest / one.shortest : std::numeric_limits<double>::infinity();
      out_.worst_aspect = std::max(out_.worst_aspect, aspect);
      out_.mean_aspect += aspect / mesh_.cells;
    }
  }

  void bandwidth() {
    for (int i = 0; i < faces_.faces(); ++i) {
      const std::size_t at = 2 * static_cast<std::size_t>(i);
      const int distance = std::abs(faces_.face_cells[at] - faces_.face_cells[at + 1]);
      out_.bandwidth = std::max(out_.bandwidth, distance);
      out_.mean_bandwidth += static_cast<double>(distance) / faces_.faces();
    }
  }

  void duplicate_nodes() {
    std::vector<int> order(static_cast<std::size_t>(mesh_.nodes()));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return point(mesh_, a) < point(mesh_, b); });
    for (std::size_t i = 1; i < order.size(); ++i)
      out_.duplicate_nodes += point(mesh_, order[i]) == point(mesh_, order[i - 1]);
  }

  void duplicate_cells() {
    for (std::size_t type = 0; type < mesh_.blocks.size(); ++type) {
      const CellBlock &block = mesh_.blocks[type];
      const auto width = static_cast<std::ptrdiff_t>(shape(static_cast<CellType>(type)).nodes);
      if (width == 0 || block.size() < 2) continue;
      std::vector<int> nodes = block.nodes;
      const auto row = [&](int i) { return nodes.begin() + i * width; };
      std::vector<int> order(block.cells.size());
      std::iota(order.begin(), order.end(), 0);
      for (const int i : order) std::sort(row(i), row(i + 1));
      std::sort(order.begin(), order.end(),
                [&](int a, int b) { return std::lexicographical_compare(row(a), row(a + 1), row(b), row(b + 1)); });
      for (std::size_t i = 1; i < order.size(); ++i)
        out_.duplicate_cells += std::equal(row(order[i]), row(order[i] + 1), row(order[i - 1]));
    }
  }

  const MeshFile &mesh_;
  const Connectivity &faces_;
  Quality out_;
  std::vector<Cell> cells_;
  std::vector<bool> used_;
};

} // namespace

Quality measure(const MeshFile &mesh, const Connectivity &faces) { return MeshMeasure(mesh, faces).run(); }

std::vector<std::string> findings(const MeshFile &mesh, const Connectivity &faces, const Quality &quality) {
  std::vector<std::string> out;
  const auto found = [&](int count, const char *what) {
    if (count > 0) out.push_back(text(count, " ", what));
  };
  if (mesh.cells == 0) out.emplace_back("the mesh has no cells");
  found(quality.negative, "cells are numbered the wrong way round (their volume is negative)");
  found(quality.zero, "cells have no volume");
  found(quality.open_cells, "cells are not closed by their faces");
  found(quality.turned_faces, "faces point from their right cell to the left one");
  found(faces.non_manifold, "faces belong to more than two cells");
  found(faces.unmatched, "boundary faces of the file are no boundary of the mesh");
  // Where the file names no patch at all, that is how it is meant.
  const auto names = [](const Patch &patch) { return patch.id != no_patch; };
  if (std::any_of(mesh.patches.begin(), mesh.patches.end(), names))
    found(faces.unnamed, "boundary faces belong to no patch: the boundary is open");
  found(quality.unused_nodes, "nodes belong to no cell");
  found(quality.duplicate_nodes, "nodes lie in the same place as another one");
  found(quality.duplicate_cells, "cells have the same nodes as another one");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
