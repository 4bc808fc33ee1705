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

// What dividing the mesh among processes took, in seconds.
struct DivisionTimes {
  double partition = 0; // finding out who owns what
  double move = 0;      // bringing rows there
  double halo = 0;      // making halos
};

struct DivideOptions {
  int halo_depth = 1;             // layers of copies, see distributed/halo/halo_build.hpp; the same on all processes
  DivisionTimes *times = nullptr; // what it takes is added there
};

// Brings all that was declared to where loops want it: moves elements to their owners (none: each set stays as it is)
// and builds halos. Prepared loops must be forgotten before. When `choose` fails on all processes, sets
// are in blocks; after other errors the mesh cannot be used any more. Collective.
void distribute(Mesh &mesh, const ChooseOwners &choose, const DivideOptions &options = {});

// Another order of the owned rows, halos made anew; the same for order[set->index], see reorder_own(). Collective.
void redistribute_in_order(Mesh &mesh, const std::vector<std::vector<int>> &order, const DivideOptions &options = {});

} // namespace op2::core
