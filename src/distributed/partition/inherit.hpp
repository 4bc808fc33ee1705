// How the division of one set is handed on to the others.
#pragma once

#include <string>
#include <vector>

#include "host/partitioner.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// owner[set->index][row] for the sets in `done`; the others follow one after another along the cheapest map to or from
// a set that has owners: each element goes where most of its targets are, or most of the elements that lead to it. Of
// several processes with as many of them, elements take one in turn. A set that no map connects stays in blocks of
// their shares. The mesh in its global form. Returns a line for the log. Collective.
std::string inherit_owners(Mesh &mesh, std::vector<std::vector<int>> &owner, std::vector<bool> done,
                           const PartShares &shares);

} // namespace op2::core
