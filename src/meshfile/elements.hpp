// Elements of all dimensions as files list them: those of the highest dimension become cells, those one below boundary
// faces.
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
  // Nodes counted from 0; `tag` is the number of the patch, where one side of a cell is meant. What is in no group has
  // the number of its part of the geometry instead, which counts only where nothing is in a group.
  void add(Element kind, std::span<const int> nodes, int tag, bool in_group = true);
  // A polygon, and a polyhedron by the nodes of its sides, in either direction.
  void add_polygon(std::span<const int> nodes, int tag, bool in_group = true);
  void add_polyhedron(std::span<const std::span<const int>> sides);
  void name_patch(int dim, int tag, std::string name) { names_[{dim, tag}] = std::move(name); }
  int highest_dim() const;

  // Moves them into the mesh, whose cell_dim follows. Boundary faces with a tag that was not named are called WORD and
  // their number.
  void finish(MeshFile &mesh, const char *word = "patch");

 private:
  struct Kind {
    std::vector<int> nodes, tags, place;
    std::vector<bool> in_group;
  };
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
};

// From the numbers that a file gives its nodes to those from 0.
class NodeNumbers {
 public:
  void add(long long number) { given_.push_back(number); }
  std::size_t size() const { return given_.size(); }
  // Called when all are there. Returns a number that is there twice, or nothing.
  std::optional<long long> finish();
  std::optional<int> find(long long number) const;

 private:
  std::vector<long long> given_;
  std::vector<std::pair<long long, int>> sorted_; // where they do not count up by one
};

// Leaves out nodes that no cell uses: those in the middle of edges of elements of higher order.
void drop_unused_nodes(MeshFile &mesh);

} // namespace op2::core
