// Exchange of those copies only that one map reaches: few, when the map starts from a boundary.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// Whether a loop that reads a dat through this map alone should exchange only what the map reaches: when the entries
// that lead to copies, in rows that need others or are copies themselves, are fewer than `percent` of all copies of the
// set it leads to, over all processes. The answer is kept with the map. Collective at the first call for a map.
bool partial_pays(Mesh &mesh, const Map &map, int percent);

// Makes the lists, unless they are there. Collective.
void make_partial_halo(Mesh &mesh, const Map &map);

} // namespace op2::core
