// poly_mesh.cpp: see poly_mesh.hpp.
#include "poly_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

namespace poly {
namespace {

// A point of a lattice with two steps per small cube: corners have even coordinates, the middle of an edge has one odd
// coordinate, that of a face two, that of a cube three.
using Point = std::array<int, 3>;
using Polygon = std::vector<int>; // its nodes

constexpr double largest_move = 0.15; // of a small cube
constexpr std::array<std::array<std::size_t, 3>, 6> walks = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}}; // along the axes, from corner to corner

std::size_t place(int i) { return static_cast<std::size_t>(i); }

// (b - a) x (c - a) . (d - a)
int spanned(const Point &a, const Point &b, const Point &c, const Point &d) {
  std::array<Point, 3> e = {b, c, d};
  for (Point &p : e)
    for (std::size_t i = 0; i < 3; ++i) p[i] -= a[i];
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

struct Face {
  Polygon nodes; // around the normal of the left cell
  int left = -1, right = -1, patch = -1;
};

class Builder {
 public:
  Builder(Kind kind, int n) : kind_(kind), n_(n), points_(place(2 * n + 1)), node_(points_ * points_ * points_, -1) {
    std::mt19937 random(12345);
    for (std::size_t i = 0; i < node_.size(); ++i) {
      chance_.push_back(static_cast<int>(random() >> 16));
      for (int d = 0; d < 3; ++d) move_.push_back(largest_move * (static_cast<double>(random()) * 0x1p-31 - 1.0));
    }
  }

  Mesh build() {
    for (int k = 0; k < n_; ++k)
      for (int j = 0; j < n_; ++j)
        for (int i = 0; i < n_; ++i) {
          const Point origin = {2 * i, 2 * j, 2 * k};
          if (kind_ == Kind::tetrahedra)
            add_tetrahedra(origin);
          else
            add_cube(origin);
        }
    list_faces();
    return std::move(mesh_);
  }

 private:
  std::size_t index(const Point &p) const { return place(p[0]) + points_ * (place(p[1]) + points_ * place(p[2])); }

  // Something that is so by chance, but always the same at this point.
  bool by_chance(const Point &p, int one_in) const {
    return kind_ == Kind::polyhedra && chance_[index(p)] % one_in == 0;
  }

  // The node at a point, made when it is needed first.
  int node(const Point &p) {
    int &number = node_[index(p)];
    if (number >= 0) return number;
    number = mesh_.nnode++;
    const bool inside = std::all_of(p.begin(), p.end(), [&](int c) { return c > 0 && c < 2 * n_; });
    for (std::size_t d = 0; d < 3; ++d) mesh_.x.push_back((0.5 * p[d] + (inside ? move_[3 * index(p) + d] : 0.0)) / n_);
    return number;
  }

  void add_tetrahedra(const Point &origin) {
    for (const auto &walk : walks) {
      std::array<Point, 4> p = {origin};
      for (std::size_t s = 0; s < 3; ++s) {
        p[s + 1] = p[s];
        p[s + 1][walk[s]] += 2;
      }
      if (spanned(p[0], p[1], p[2], p[3]) < 0) std::swap(p[2], p[3]);
      const int cell = mesh_.ncell++;
      for (const auto &[a, b, c] :
           std::array<std::array<std::size_t, 3>, 4>{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}})
        add_face(cell, {p[a], p[b], p[c]});
    }
  }

  // A cube that is one cell with the one before it shares its number.
  void add_cube(const Point &origin) {
    const bool joined = origin[0] % 4 == 2 && by_chance({origin[0] + 1, origin[1] + 1, origin[2] + 1}, 3);
    const int cell = joined ? mesh_.ncell - 1 : mesh_.ncell++;
    for (std::size_t d = 0; d < 3; ++d)
      for (const int high : {0, 2}) {
        std::array<Point, 4> p = {origin, origin, origin, origin}; // around the axis d
        p[1][(d + 1) % 3] += 2;
        p[2][(d + 1) % 3] += 2;
        p[2][(d + 2) % 3] += 2;
        p[3][(d + 2) % 3] += 2;
        for (Point &corner : p) corner[d] += high;
        if (high == 0) std::reverse(p.begin(), p.end());
        std::rotate(p.begin(), std::min_element(p.begin(), p.end()), p.end()); // both cells cut it the same way
        if (by_chance(between(p[0], p[2]), 3)) {
          add_face(cell, {p[0], p[1], p[2]});
          add_face(cell, {p[0], p[2], p[3]});
        } else {
          add_face(cell, {p[0], p[1], p[2], p[3]});
        }
      }
  }

  static Point between(const Point &a, const Point &b) {
    return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
  }

  // The corners go around the outward normal of the cell. The second cell that has a face finds it.
  void add_face(int cell, const std::vector<Point> &corners) {
    Face face;
    face.left = cell;
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const Point &corner = corners[c], middle = between(corner, corners[(c + 1) % corners.size()]);
      face.nodes.push_back(node(corner));
      const auto odd = std::count_if(middle.begin(), middle.end(), [](int i) { return i % 2 == 1; });
      if (odd == 1 && by_chance(middle, 4)) face.nodes.push_back(node(middle)); // not on the cut through a face
    }
    for (std::size_t d = 0; d < 3; ++d)
      for (const int side : {0, 1})
        if (std::all_of(corners.begin(), corners.end(), [&](const Point &p) { return p[d] == side * 2 * n_; }))
          face.patch = static_cast<int>(2 * d) + side;
    Polygon key = face.nodes;
    std::sort(key.begin(), key.end());
    const auto [found, first] = known_.try_emplace(std::move(key), faces_.size());
    if (first)
      faces_.push_back(std::move(face));
    else
      faces_[found->second].right = cell;
  }

  void list_faces() {
    for (const Face &face : faces_) {
      int &corners = face.patch < 0 ? mesh_.face_corners : mesh_.bface_corners;
      corners = std::max(corners, static_cast<int>(face.nodes.size()));
    }
    for (const Face &face : faces_) {
      if (face.left == face.right) continue; // inside a cell
      if (face.patch < 0) {
        ++mesh_.nface;
        mesh_.face_cells.insert(mesh_.face_cells.end(), {face.left, face.right});
        append(face.nodes, mesh_.face_corners, mesh_.face_nodes);
      } else {
        ++mesh_.nbface;
        mesh_.bface_cells.push_back(face.left);
        append(face.nodes, mesh_.bface_corners, mesh_.bface_nodes);
        mesh_.bface_patch.push_back(face.patch);
      }
    }
  }

  static void append(const Polygon &nodes, int corners, std::vector<int> &rows) {
    rows.insert(rows.end(), nodes.begin(), nodes.end());
    rows.insert(rows.end(), place(corners) - nodes.size(), nodes.back());
  }

  Kind kind_;
  int n_;
  std::size_t points_;       // of the lattice in each direction
  std::vector<int> node_;    // [point] its number; -1: none
  std::vector<int> chance_;  // [point]
  std::vector<double> move_; // [point][3] in small cubes
  std::vector<Face> faces_;
  std::map<Polygon, std::size_t> known_; // by their sorted nodes
  Mesh mesh_;
};

} // namespace

Mesh make_mesh(Kind kind, int n) {
  if (n < 1 || n > largest_n) throw std::invalid_argument("the mesh needs n from 1 to 100");
  return Builder(kind, n).build();
}

} // namespace poly

// SPDX-License-Identifier: MIT
