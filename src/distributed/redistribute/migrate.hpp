// Moves elements to their new owners.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The global numbers of the rows this process owns, and of the targets of their map entries, in any state of the mesh.
std::vector<op_gindex> own_numbers(const Set &set);
std::vector<op_gindex> own_targets(const Map &map);

// Before halos exist, or after drop_halos(). owner[set->index][row] is the new owner of the row; vectors that are empty
// on all processes leave a set where it is. The elements are then sorted by global number. Collective.
void migrate(Mesh &mesh, const std::vector<std::vector<int>> &owner);

// Reorders the rows that this process owns: order[set->index][i] is the present row that becomes row i; empty = no
// change. Not collective.
void reorder_own(Mesh &mesh, const std::vector<std::vector<int>> &order);

} // namespace op2::core

// SPDX-License-Identifier: MIT
