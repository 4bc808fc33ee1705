// order.hpp: orders of the elements of a mesh in which elements that are used together are near, and a cheap measure
// of the locality of a map.
//
// Pure functions: arrays in, arrays out. Everything is deterministic and, but for sorting rows that share their first
// targets, linear in the entries of the maps. order[i] is the element at place i; place[n], the inverse
// (mesh/rows.hpp), is the place of element n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/rows.hpp"

namespace op2::core {

// A map in memory: element n < from leads to table[n * dim + j] < to.
struct OrderMap {
  const int *table = nullptr;
  int dim = 0;
  int from = 0, to = 0;

  std::size_t entries() const { return static_cast<std::size_t>(from) * static_cast<std::size_t>(dim); }
  const int *row(int n) const { return table + static_cast<std::ptrdiff_t>(n) * dim; }
};

// ---- orders of the set that a map leads to -----------------------------------------------------------------------

// The graph of the map's targets: two targets are neighbours if an element leads to both, so each element makes a
// clique. Neighbours are listed once, ascending; no vertex is its own neighbour.
struct Graph {
  std::vector<std::int64_t> offset; // [vertices + 1]
  std::vector<int> neighbour;
  int vertices() const { return static_cast<int>(offset.size()) - 1; }
};
Graph adjacency(const OrderMap &map);

// The largest distance of two neighbours at these places; empty = as numbered.
int bandwidth(const Graph &graph, std::span<const int> place);

// Reverse Cuthill-McKee order of the graph of the map's targets, without making that graph. Each component begins at a
// pseudoperipheral vertex, found by a few breadth-first searches (A. George, J. Liu, An implementation of a
// pseudoperipheral node finder, 1979). The degree of a vertex is the number of map entries that lead to it, for two
// columns the true degree; degrees from 255 on count as equal.
std::vector<int> reverse_cuthill_mckee(const OrderMap &map);

// Order along a Hilbert curve through the points' bounding box. coordinates[points][dim], 1 <= dim <= 3; points that
// are not finite come last.
std::vector<int> hilbert_order(std::span<const double> coordinates, int dim);

// ---- orders that follow another set's ------------------------------------------------------------------------------

// Order of the set that a map starts from, by the new places of the targets: by the lowest place, then by the second
// lowest; a stable sort. dim >= 1.
std::vector<int> order_by_targets(const OrderMap &map, std::span<const int> place_of_target);

// Order of the set that a map leads to: by the first element of the other set, in its order, that leads to each.
// Elements without any come last, in their old order. order_of_from empty = as numbered.
std::vector<int> order_by_first_touch(const OrderMap &map, std::span<const int> order_of_from);

// ---- how good is an order
// --------------------------------------------------------------------------------------------

// What a loop fetches through a map, estimated from a few runs of consecutive elements, in lines of some rows.
struct Locality {
  double fetched = 0, needed = 0; // rows; `needed`: if each line were fetched once in the whole loop
  // Lines that are fetched when none beside them has just been: the processor cannot have asked for them ahead, and
  // waits for memory.
  double jumps = 0;
  // Elements that lead to the rows behind those of the element before, which lanes load and store as they lie.
  double side_by_side = 0;
  // An order that follows the mesh has 1 to 4 (each element of a 3-D mesh has neighbours in other layers), a random
  // order the number of rows in a line times the number of entries per target.
  double ratio() const { return needed > 0 ? fetched / needed : 1; }
  Locality &operator+=(const Locality &other) {
    fetched += other.fetched;
    needed += other.needed;
    jumps += other.jumps;
    side_by_side += other.side_by_side;
    return *this;
  }
};
// The locality of the map in its present order, or in these orders (either may be empty).
Locality locality(const OrderMap &map, std::span<const int> order_of_from = {},
                  std::span<const int> place_of_target = {}, int rows_per_line = 8);

} // namespace op2::core

// SPDX-License-Identifier: MIT
