// Moving elements to the processes that are to own them.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The global numbers of the rows this process owns, and of the targets of their map entries, in any state of the mesh.
std::vector<idx_g_t> own_numbers(const Set &set);
std::vector<idx_g_t> own_targets(const Map &map);

// Before halos exist, or after drop_halos(): owner[set->index][row] is the process that is to own the row; an empty
// vector leaves a set where it is. Elements come to lie in the order of their numbers. Collective.
void migrate(Mesh &mesh, const std::vector<std::vector<int>> &owner);

// Another order of the rows this process owns: order[set->index][i] is the present row that becomes row i; empty = as
// it is. Not collective.
void reorder_own(Mesh &mesh, const std::vector<std::vector<int>> &order);

} // namespace op2::core
