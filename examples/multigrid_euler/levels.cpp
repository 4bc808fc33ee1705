// levels.cpp: see levels.hpp.
#include "levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace multigrid {
namespace {

std::size_t place(int i) { return static_cast<std::size_t>(i); }

// A face by what it lies between: two cells, or a cell and a kind of boundary.
using Between = std::pair<int, int>;
using Faces = std::map<Between, std::array<double, 2>>;

void add(Faces &faces, const Between &between, double x, double y) {
  std::array<double, 2> &normal = faces[between];
  normal[0] += x;
  normal[1] += y;
}

void write_faces(const Faces &faces, const Faces &boundary, Grid &grid) {
  for (const auto &[between, normal] : faces) {
    grid.face_cells.insert(grid.face_cells.end(), {between.first, between.second});
    grid.normal.insert(grid.normal.end(), normal.begin(), normal.end());
  }
  for (const auto &[between, normal] : boundary) {
    grid.bface_cell.push_back(between.first);
    grid.kind.push_back(between.second);
    grid.bnormal.insert(grid.bnormal.end(), normal.begin(), normal.end());
  }
  grid.nface = static_cast<int>(faces.size());
  grid.nbface = static_cast<int>(boundary.size());
}

Grid finite_volumes(const triangles::Mesh &mesh) {
  Grid out;
  const auto x = [&](int node, std::size_t d) { return mesh.x[2 * place(node) + d]; };
  out.ncell = mesh.ncell;
  for (std::size_t c = 0; c < mesh.cell_nodes.size(); c += 3) {
    const int a = mesh.cell_nodes[c], b = mesh.cell_nodes[c + 1], d = mesh.cell_nodes[c + 2];
    out.volume.push_back(0.5 * ((x(b, 0) - x(a, 0)) * (x(d, 1) - x(a, 1)) - (x(b, 1) - x(a, 1)) * (x(d, 0) - x(a, 0))));
  }
  Faces faces, boundary;
  for (std::size_t e = 0; e < place(mesh.nedge); ++e) {
    const int a = mesh.edge_nodes[2 * e], b = mesh.edge_nodes[2 * e + 1];
    add(faces, {mesh.edge_cells[2 * e], mesh.edge_cells[2 * e + 1]}, x(b, 1) - x(a, 1), x(a, 0) - x(b, 0));
  }
  for (std::size_t e = 0; e < place(mesh.nbedge); ++e) {
    const int a = mesh.bedge_nodes[2 * e], b = mesh.bedge_nodes[2 * e + 1];
    add(boundary, {mesh.bedge_cell[e], mesh.side[e] < 2 ? END : WALL}, x(b, 1) - x(a, 1), x(a, 0) - x(b, 0));
  }
  write_faces(faces, boundary, out);
  return out;
}

// Puts cells together. A group grows by the neighbour that shares most with it, so it becomes round rather than long.
class Groups {
 public:
  explicit Groups(const Grid &grid) : neighbours_(place(grid.ncell)), group_(place(grid.ncell), none) {
    for (std::size_t f = 0; f < place(grid.nface); ++f) {
      const int left = grid.face_cells[2 * f], right = grid.face_cells[2 * f + 1];
      const double length = std::hypot(grid.normal[2 * f], grid.normal[2 * f + 1]);
      neighbours_[place(left)].push_back({right, length});
      neighbours_[place(right)].push_back({left, length});
    }
  }

  // The group of each cell; groups are numbered from 0.
  std::vector<int> find(int &count) {
    count = 0;
    for (int cell = 0; cell < static_cast<int>(group_.size()); ++cell)
      if (group_[place(cell)] == none) grow(cell, count);
    return group_;
  }

 private:
  static constexpr int none = -1, wanted = 4;

  // A cell that is left over alone joins the group that it shares most with.
  void grow(int seed, int &count) {
    std::map<int, double> near; // cells that are free, and what they share with the group
    std::map<int, double> groups;
    int size = 0;
    for (int cell = seed; cell != none && size < wanted; ++size) {
      group_[place(cell)] = count;
      near.erase(cell);
      for (const auto &[other, length] : neighbours_[place(cell)]) {
        const int group = group_[place(other)];
        if (group == none)
          near[other] += length;
        else if (group != count)
          groups[group] += length;
      }
      cell = most(near);
    }
    if (size > 1 || groups.empty())
      ++count;
    else
      group_[place(seed)] = most(groups);
  }

  static int most(const std::map<int, double> &shared) {
    const auto found = std::max_element(shared.begin(), shared.end(),
                                        [](const auto &one, const auto &other) { return one.second < other.second; });
    return found == shared.end() ? none : found->first;
  }

  std::vector<std::vector<std::pair<int, double>>> neighbours_;
  std::vector<int> group_;
};

// The next coarser mesh. Its faces are those between cells of different groups, so a closed surface stays closed.
Grid coarsen(Grid &fine) {
  Grid out;
  fine.coarse_cell = Groups(fine).find(out.ncell);
  const std::vector<int> &group = fine.coarse_cell;
  out.volume.resize(place(out.ncell));
  for (std::size_t c = 0; c < place(fine.ncell); ++c) out.volume[place(group[c])] += fine.volume[c];
  Faces faces, boundary;
  for (std::size_t f = 0; f < place(fine.nface); ++f) {
    const int left = group[place(fine.face_cells[2 * f])], right = group[place(fine.face_cells[2 * f + 1])];
    const double sign = left < right ? 1 : -1;
    if (left != right) add(faces, std::minmax(left, right), sign * fine.normal[2 * f], sign * fine.normal[2 * f + 1]);
  }
  for (std::size_t f = 0; f < place(fine.nbface); ++f)
    add(boundary, {group[place(fine.bface_cell[f])], fine.kind[f]}, fine.bnormal[2 * f], fine.bnormal[2 * f + 1]);
  write_faces(faces, boundary, out);
  return out;
}

} // namespace

triangles::Mesh make_channel(int n) {
  triangles::Mesh mesh = triangles::make_mesh({3 * n, n, -1, 2, 0, 1, 15});
  for (std::size_t i = 0; i < mesh.x.size(); i += 2) {
    const double x = mesh.x[i], wave = x > 0 && x < 1 ? std::sin(std::acos(-1.0) * x) : 0;
    mesh.x[i + 1] += 0.1 * wave * wave * (1 - mesh.x[i + 1]);
  }
  return mesh;
}

std::vector<Grid> make_grids(const triangles::Mesh &mesh, int count) {
  std::vector<Grid> out = {finite_volumes(mesh)};
  while (static_cast<int>(out.size()) < count) out.push_back(coarsen(out.back()));
  return out;
}

} // namespace multigrid

// SPDX-License-Identifier: MIT
