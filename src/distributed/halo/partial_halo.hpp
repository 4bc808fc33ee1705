// Exchanges of only the copies that one map reaches: few, when the map starts from a boundary.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// Should a loop that reads a dat through this map alone exchange only the copies that the map reaches? Yes, if the
// entries that lead to copies, in boundary and executed copied rows, are fewer than `percent` of all copies of the
// target set, over all processes. The map keeps these counts. Collective at the first call for a map.
bool partial_pays(Mesh &mesh, const Map &map, int percent);

// Builds Map::partial, unless it exists. Collective.
void make_partial_halo(Mesh &mesh, const Map &map);

} // namespace op2::core

// SPDX-License-Identifier: MIT
