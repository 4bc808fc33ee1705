// Several processes: from declarations to sets that are in parts with halos.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// Who is to own the owned rows of each set, by set->index; empty = they stay. Called with the mesh in its global form
// (Set::global, Map::targets), collectively.
using ChooseOwners = std::function<std::vector<std::vector<int>>(Mesh &)>;

// Who is to own what, and whether the mesh was divided by what connects it or as the program said; else a better
// division may be found once more of it is declared.
struct Division {
  ChooseOwners choose;
  bool settled = false;
};

// Is there something that loops cannot see yet: sets or maps declared since the last distribute()?
bool needs_distribution(const Mesh &mesh);

// Brings all that was declared to where loops want it: moves elements to their owners (none: each set stays as it is),
// builds halos of the mesh's depth. Prepared loops must be forgotten before. When `choose` fails on all processes, sets
// are in blocks; after other errors the mesh cannot be used any more. Collective.
void distribute(Mesh &mesh, const ChooseOwners &choose);

// Another order of the owned rows, halos made anew; the same for order[set->index], see reorder_own(). Collective.
void redistribute_in_order(Mesh &mesh, const std::vector<std::vector<int>> &order);

} // namespace op2::core
