// Several processes: divides declared sets into parts with halos.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The new owner of each owned row, [set->index][row]; empty = the set's rows stay. Called with the mesh in its global
// form (Set::global, Map::targets). Collective.
using ChooseOwners = std::function<std::vector<std::vector<int>>(Mesh &)>;

// The new owners. settled: the division follows the mesh's maps or the program's request; if not, a better division
// may be found once more of the mesh is declared.
struct Division {
  ChooseOwners choose;
  bool settled = false;
};

// Are there sets or maps that were declared after the last distribute()? Loops cannot use them yet.
bool needs_distribution(const Mesh &mesh);

// Seconds that the division of the mesh took.
struct DivisionTimes {
  double partition = 0; // choosing owners
  double move = 0;      // moving rows to them
  double halo = 0;      // building halos
};

struct DivideOptions {
  int halo_depth = 1;             // layers of copies, see distributed/halo/halo_build.hpp; the same on all processes
  DivisionTimes *times = nullptr; // gets the seconds added; may be NULL
  bool in_place = false;          // rows go from their present owners to the new ones; else `choose` finds them declared
};

// Prepares all declared sets and maps for loops: moves elements to their owners (empty `choose`: sets stay as they are)
// and builds halos. The caller must drop prepared loops before. If `choose` fails on all processes, sets are in blocks
// and the error is thrown; after other errors the mesh is unusable. Collective.
void distribute(Mesh &mesh, const ChooseOwners &choose, const DivideOptions &options = {});

// Runs a step in which all processes wait for each other: one that has no memory left ends the job.
void end_job_without_memory(const std::function<void()> &step);

// Rebuilds the halos for maps whose targets `rewrite` changes, in the mesh's global form; owners stay. Collective.
void redistribute_rewritten(Mesh &mesh, const std::function<void()> &rewrite, const DivideOptions &options = {});

// Reorders the owned rows by order[set->index], see reorder_own(), and rebuilds the halos. Collective.
void redistribute_in_order(Mesh &mesh, const std::vector<std::vector<int>> &order, const DivideOptions &options = {});

} // namespace op2::core

// SPDX-License-Identifier: MIT
