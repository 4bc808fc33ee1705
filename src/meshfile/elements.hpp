// Elements of all dimensions as files list them. Elements of the highest dimension become cells, elements of one
// dimension less boundary faces.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "meshfile/mesh_file.hpp"

namespace op2::core {

enum class Element { point, line, triangle, quadrangle, tetrahedron, pyramid, prism, hexahedron };

int element_dim(Element kind);
int element_nodes(Element kind);

class Elements {
 public:
  // Nodes from 0. tag: the number of the patch if the element is a side of a cell. An element outside of all groups has
  // the number of its geometric entity instead, which is used only if no element is in a group.
  void add(Element kind, std::span<const int> nodes, int tag, bool in_group = true);
  // A polygon, and a polyhedron by the nodes of its sides, in either direction.
  void add_polygon(std::span<const int> nodes, int tag, bool in_group = true);
  void add_polyhedron(std::span<const std::span<const int>> sides);
  void name_patch(int dim, int tag, std::string name) { names_[{dim, tag}] = std::move(name); }
  // So many elements, which were added with the number `first`, are in the group `tag` as well.
  void also(int dim, int tag, int first, int count) { also_[{dim, tag, first}] += count; }
  // Files may list an element once for each of its groups: it stays in the first, and also() is told of the others.
  // Elements that are listed twice in one group stay, as a fault of the mesh.
  void once();
  // Notes of the groups that are lost, when all elements are there: before finish().
  void note_groups(MeshFile &mesh, const char *word) const;
  int highest_dim() const;

  // Moves the elements into the mesh and sets its cell_dim. A patch without a name is called WORD and its number.
  void finish(MeshFile &mesh, const char *word = "patch");

 private:
  struct Kind {
    std::vector<int> nodes, tags, place;
    std::vector<bool> in_group;
  };
  static std::vector<std::pair<std::size_t, std::size_t>> repeats(const Kind &kind, std::size_t width);
  void remove(const std::array<std::vector<bool>, 4> &gone);
  std::string called(int dim, int tag) const; // the number of a group and its name
  struct Polygons {
    Lists nodes;
    std::vector<int> tags, place;
    std::vector<bool> in_group;
  };
  void finish_boundary(MeshFile &mesh, const char *word);
  void finish_free(MeshFile &mesh);

  std::array<Kind, 8> kinds_;
  Polygons polygons_;
  FreeCells polyhedra_;
  std::vector<int> polyhedron_place_;
  std::array<int, 4> count_{}, grouped_{}; // per dimension
  std::map<std::pair<int, int>, std::string> names_;
  std::map<std::array<int, 3>, int> also_; // by dimension, number of the group and that of the first one
};

// Maps the node numbers of a file to numbers from 0.
class NodeNumbers {
 public:
  void add(long long number) { given_.push_back(number); }
  std::size_t size() const { return given_.size(); }
  // To be called after the last add(). Returns a number that was added twice, or nothing.
  std::optional<long long> finish();
  std::optional<int> find(long long number) const;

 private:
  std::vector<long long> given_;
  std::vector<std::pair<long long, int>> sorted_; // empty if the numbers are consecutive
};

// A note of what a file has beside the mesh: each name once.
void note_left_out(MeshFile &mesh, const char *what, const std::vector<std::string> &names);

// Removes nodes that no cell uses, such as mid-edge nodes of elements of higher order.
void drop_unused_nodes(MeshFile &mesh);

} // namespace op2::core

// SPDX-License-Identifier: MIT
