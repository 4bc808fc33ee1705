// New rows of maps in declared numbers: from where the program passes them to where they are used.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// elements: declared numbers, ascending, each once. targets[elements][dim of the map]: declared numbers from 0.
struct MapRows {
  std::vector<op_gindex> elements, targets;
};

// Sorts rows, each of which may come several times. Throws OP_ERR_ARGUMENT if an element has two different ones.
MapRows sorted_rows(const Map &map, MapRows rows);
// The rows of all processes, on every process. Collective. Throws as above.
MapRows rows_of_all(Mesh &mesh, const Map &map, const MapRows &mine);

// Whether this process can take the rows with the copies that it has: loops then run the same elements as before, and
// find all rows they lead to. Always true on one process.
bool halos_suffice(const Mesh &mesh, const Map &map, const MapRows &rows);

// Writes the rows that are here, of copies too, into the map's table. Returns these rows, ascending. The caller has
// made sure that halos_suffice() on all processes. Fails before the first change, if at all.
std::vector<int> write_rows_of_map(Mesh &mesh, Map &map, const MapRows &rows);

// The same for a map in its global form, whose elements are in the order of Set::global, or of the declared part.
void write_targets_of_map(Map &map, const MapRows &rows);

} // namespace op2::core
// SPDX-License-Identifier: MIT
