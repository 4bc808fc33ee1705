// The owners that an earlier run has found for the same mesh and the same request.
#pragma once

#include <string>
#include <vector>

#include "distributed/partition/partition.hpp"
#include "distributed/partition/weights.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// All that determines the owners, on this process. "": they are not kept.
std::string name_of_division(Mesh &mesh, const PartitionRequest &request, const std::string &plugin,
                             const PartShares &shares);
// Takes the owners of each set, on all processes or on none; false: there are none. Collective.
bool take_kept(Mesh &mesh, const std::string &name, std::vector<std::vector<int>> &owner);
void keep_owners(Mesh &mesh, const std::string &name, const std::vector<std::vector<int>> &owner);

} // namespace op2::core

// SPDX-License-Identifier: MIT
