// division.hpp: blocks of elements for GPUs, and orders of elements and rows that follow them.
//
// By Sulyok, Balogh, Reguly and Mudalige, "Locality optimized unstructured mesh algorithms on GPUs", J. Parallel
// Distrib. Comput. 134, 2019: elements that share data are neighbours in a graph, which is divided into parts of at
// most S elements; a row that k elements share makes a clique of (k^2 - k)/2 edges. Rows are then grouped by the set of
// blocks that use them.
#ifndef OP2_BENCH_LOCALITY_DIVISION_HPP
#define OP2_BENCH_LOCALITY_DIVISION_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/locality/loop.hpp"
#include "plan/targets.hpp"

namespace bench::locality {

struct Division {
  std::vector<int> element; // block after block
  std::vector<int> offset;  // [blocks + 1] into it
  int moved = 0;            // elements that a part had too many of, and another one took

  [[nodiscard]] int blocks() const { return static_cast<int>(offset.size()) - 1; }
};

Division consecutive(int elements, int most);
// As the library grows them for OP2_RACE=colour (plan/compact.hpp).
Division compact(const Loop &loop, int most);
// The same parts, where the loop has been brought into their order.
Division in_place(const Division &division);
// Elements of a block that add to the same row have different colours. The same blocks, their elements by colour and
// then by number.
Division by_colour(const Loop &loop, const Division &division);
// The rows that elements add to. Refers to the loop.
op2::core::SlotTable slots_of(const Loop &loop);
// The set that `map` leads to in reverse Cuthill-McKee order, elements and the other set behind it: as the library
// renumbers.
Loop renumbered(Loop loop, int map);

// What a partitioner is asked for, so that no part is larger than S although it keeps sizes only to a tolerance l =
// largest size * parts / elements: parts of S' = floor(S / l) elements, with the tolerance l' = S / S' >= l, since then
// l' * elements / parts <= l' * S' = S.
struct PartSizes {
  int size = 0, parts = 0; // S', and how many
  double tolerance = 1;    // l'
};
PartSizes part_sizes(int elements, int most, double tolerance);

// Elements that share rows of any set; the weight of an edge is the number of rows. offset[elements + 1].
struct ElementGraph {
  std::vector<std::int64_t> offset;
  std::vector<int> neighbour, weight;
};
ElementGraph element_graph(const Loop &loop);

// Divides the graph by METIS or Scotch; nothing where the program was built without it.
std::optional<std::vector<int>> parts_by_metis(const ElementGraph &graph, const PartSizes &sizes);
std::optional<std::vector<int>> parts_by_scotch(const ElementGraph &graph, const PartSizes &sizes);
// Parts that came out larger than `most` give elements to neighbouring parts that have room, or to a new one. Blocks
// are in the order of their first elements, elements ascend.
Division blocks_of_parts(const ElementGraph &graph, std::vector<int> part, int most);

// Rows of a set by the blocks that use them: fewer blocks first, then by the numbers of the blocks. place[row].
std::vector<int> grouped_places(const Loop &loop, int set, const Division &division);

struct Sharing {
  double loads_of_row = 0;   // blocks that use a row, on the average
  std::uint64_t repeats = 0; // sum of k - 1 over rows that k blocks use
  std::uint64_t cliques = 0; // sum of (k^2 - k)/2: what a partitioner makes small in place of it
};
Sharing sharing(const Loop &loop, const Division &division);

} // namespace bench::locality

#endif

// SPDX-License-Identifier: MIT
