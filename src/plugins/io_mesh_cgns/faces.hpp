// The faces of polyhedra, each once, as in sections NGON_n and NFACE_n.
#pragma once

#include <cgnslib.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grid.hpp"

namespace cgns {

// Numbers of elements or nodes, several for each row.
struct IndexLists {
  std::vector<cgsize_t> items, begin{0};

  cgsize_t size() const { return static_cast<cgsize_t>(begin.size()) - 1; }
  void close() { begin.push_back(static_cast<cgsize_t>(items.size())); }
};

// All faces of the polyhedra of a grid and all boundary faces: first faces without a patch, then patch by patch.
class FacesOnce {
 public:
  explicit FacesOnce(const Grid &grid);

  IndexLists nodes;         // of each face, from 1; the normal points out of its first cell
  IndexLists cells;         // faces of each polyhedron, from 1; negative if the normal points into the cell
  std::vector<int> patches; // of each face, 0: none

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::int64_t> &key) const;
  };
  struct Face {
    std::span<const std::int64_t> nodes;
    int patch = 0;
  };
  std::size_t find(std::span<const std::int64_t> nodes);
  void polyhedron(std::span<const std::int64_t> stream);
  void put_in_order();

  std::vector<Face> faces_;
  std::unordered_map<std::vector<std::int64_t>, std::size_t, Hash> places_; // by their nodes, sorted
};

} // namespace cgns

// SPDX-License-Identifier: MIT
