// The distributed graph that partitioners divide.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// Neighbours of the elements of one set. Each process has a block of consecutive vertices: its rows. Each edge is
// stored once at each end; no element is its own neighbour.
struct DistributedGraph {
  std::vector<std::int64_t> vertex_offset; // [processes + 1]
  std::vector<std::int64_t> edge_offset;   // [own vertices + 1]
  std::vector<std::int64_t> edges;         // vertices, ascending for each vertex
};

// Two targets of the map are neighbours when an element leads to both; in a map from a set to itself, an element is a
// neighbour of its targets. In rows in their declared distribution a vertex is the element's number. Collective.
DistributedGraph graph_of_targets(Mesh &mesh, const Map &map);

} // namespace op2::core

// SPDX-License-Identifier: MIT
