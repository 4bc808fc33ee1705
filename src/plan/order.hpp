// order.hpp: orders of the elements of a mesh in which elements that are used together lie together, and a cheap
// measure of how far a map is from one.
//
// Pure functions: arrays in, arrays out. Everything is deterministic and, but for sorting rows that share their first
// targets, linear in the entries of the maps. An order lists elements: order[i] is the one that comes i-th. Places are
// its inverse (mesh/rows.hpp): place[n] is where element n comes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/rows.hpp"

namespace op2::core {

// A map as it lies in memory: element n < from leads to table[n * dim + j] < to.
struct OrderMap {
  const int *table = nullptr;
  int dim = 0;
  int from = 0, to = 0;

  std::size_t entries() const { return static_cast<std::size_t>(from) * static_cast<std::size_t>(dim); }
  const int *row(int n) const { return table + static_cast<std::ptrdiff_t>(n) * dim; }
};

// ---- orders of the set that a map leads to -----------------------------------------------------------------------

// The graph of the map's targets: two of them are neighbours when some element leads to both, so each element makes a
// clique. Every neighbour once, ascending, nobody is its own.
struct Graph {
  std::vector<std::int64_t> offset; // [vertices + 1]
  std::vector<int> neighbour;
  int vertices() const { return static_cast<int>(offset.size()) - 1; }
};
Graph adjacency(const OrderMap &map);

// The longest distance of two neighbours in the order that `place` belongs to; empty = as numbered.
int bandwidth(const Graph &graph, std::span<const int> place);

// Reverse Cuthill-McKee order of the graph of the map's targets, without making that graph. Each component begins at an
// end that a few breadth-first searches find (A. George, J. Liu, An implementation of a pseudoperipheral node finder,
// 1979). The degree of a vertex is the number of map entries that lead to it, with two columns the true one; from 255
// on degrees count as equal.
std::vector<int> reverse_cuthill_mckee(const OrderMap &map);

// Order along a Hilbert curve through the points' bounding box. coordinates[points][dim], 1 <= dim <= 3; what is not
// finite goes to the end.
std::vector<int> hilbert_order(std::span<const double> coordinates, int dim);

// ---- orders that follow another set's ------------------------------------------------------------------------------

// Order of the set a map starts from, by its targets at their new places: first by the lowest place, then by the second
// lowest; equals stay as they were. dim >= 1.
std::vector<int> order_by_targets(const OrderMap &map, std::span<const int> place_of_target);

// Order of the set a map leads to: as the elements of the other set, in their order, meet them first. Elements that
// nobody leads to come last, as they were. order_of_from empty = as numbered.
std::vector<int> order_by_first_touch(const OrderMap &map, std::span<const int> order_of_from);

// ---- how good is an order
// --------------------------------------------------------------------------------------------

// What a few short runs of consecutive elements cost: memory is fetched in lines of 8 rows. `needed` is what it would
// take if each line were fetched once in the whole loop. An order that follows the mesh has a ratio of 1 to 4 (each
// element of a 3-D mesh has neighbours in other layers), one at random 8 times the number of entries per target.
struct Locality {
  double fetched = 0, needed = 0;
  double ratio() const { return needed > 0 ? fetched / needed : 1; }
  Locality &operator+=(const Locality &other) {
    fetched += other.fetched;
    needed += other.needed;
    return *this;
  }
};
// The map in the order in which it lies, or as it would be with these orders (either may be empty).
Locality locality(const OrderMap &map, std::span<const int> order_of_from = {},
                  std::span<const int> place_of_target = {});

} // namespace op2::core
