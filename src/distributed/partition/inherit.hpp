// Divides sets along maps to or from sets that are divided already.
#pragma once

#include <string>
#include <vector>

#include "host/partitioner.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Completes owner[set->index][row] for sets that are not `done`, one set after another, by the cheapest map to or from
// a set with owners: each element goes to the process that owns most of its targets, or most elements that lead to it.
// The element's number decides ties. A set that no map connects gets blocks by `shares`. The mesh must be in its global
// form. Returns a line for the log. Collective.
std::string inherit_owners(Mesh &mesh, std::vector<std::vector<int>> &owner, std::vector<bool> done,
                           const PartShares &shares);

} // namespace op2::core

// SPDX-License-Identifier: MIT
