// A mesh as programs declare it: named sets, maps between them and dats on them.
#pragma once

#include <optional>

#include "meshfile/connectivity.hpp"
#include "meshfile/quality.hpp"

namespace op2::core {

// A map (with numbers of elements of set `to`) or a dat of whole or real numbers. Points into the model.
struct MeshArray {
  std::string name, set, to; // to: "" for dats
  int dim;
  std::span<int> ints;
  std::span<double> reals;

  bool real() const { return !reals.empty(); }
  int rows() const { return static_cast<int>((ints.size() + reals.size()) / static_cast<std::size_t>(dim)); }
};

struct MeshSet {
  std::string name;
  int size;
};

// Sets nodes, cells, faces, bfaces and one for each type of cells, and map cell_nodes if all cells are of one type. A
// mesh in airfoil's format has airfoil's own names.
class MeshModel {
 public:
  explicit MeshModel(MeshFile file);
  MeshModel(const MeshModel &) = delete;
  MeshModel &operator=(const MeshModel &) = delete;

  const MeshFile &file() const { return file_; }
  const Connectivity &faces() const { return faces_; }
  const std::vector<MeshSet> &sets() const { return sets_; }
  const std::vector<MeshArray> &arrays() const { return arrays_; }
  const std::vector<Patch> &patches() const { return patches_; }

  // Queries of programs. They throw OP_ERR_ARGUMENT, naming what exists, or OP_ERR_RANGE.
  const MeshSet &set(std::string_view name) const;
  int size(std::string_view set_name) const; // also of "patches"
  const MeshArray &array(std::string_view name, bool reals) const;
  const Patch &patch(int index) const;
  std::vector<Patch> patches_named(std::string_view name) const; // at least one

  void scale(double factor);
  // Renumbers a set: the new row i is the old row order[i]. Maps to the set are updated.
  void reorder(const MeshSet &set, std::span<const int> order);
  // Sets the dat "partvec0004" (for 4 parts) on the cells: the part of each.
  void set_parts(int parts, std::vector<int> part);
  // The arguments of the last set_parts(); empty and 0 without one.
  std::span<const int> part() const { return part_; }
  int parts() const { return parts_; }
  std::vector<double> cell_centres() const; // [cells][dim], the means of the nodes of their faces

  const Quality &quality(); // measured at the first call
  std::string info();       // several lines
  std::vector<std::string> findings();

 private:
  void list_general();
  void list_cell_nodes();
  void list_airfoil();
  std::string quality_lines(); // of info(), of a mesh with cells
  void add_map(const char *name, const char *set, const char *to, int dim, std::span<int> entries);

  MeshFile file_;
  Connectivity faces_;
  std::vector<Patch> patches_; // also one for boundary faces without a patch
  std::vector<MeshSet> sets_;
  std::vector<MeshArray> arrays_, hidden_;            // hidden: for measures only
  std::vector<int> cell_nodes_;                       // of all cells, if they are of one type
  std::vector<int> edge_nodes_, boundary_edge_nodes_; // as airfoil has them
  std::vector<double> state_, old_state_, adt_, residual_;
  std::vector<int> part_;
  int parts_ = 0;
  std::optional<Quality> quality_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
