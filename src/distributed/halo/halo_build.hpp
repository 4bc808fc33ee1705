// Halos: which elements of other processes this one needs copies of, and local tables instead of global numbers.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// From sets whose owned rows are known by their global numbers (Set::global) and maps by those of their targets
// (Map::targets) to the order core | boundary | copies of mesh/halo.hpp, with local tables in all maps and room for the
// copies in all dats. depth: layers of copies, at least 1. Collective.
// Loops use the first layer only and no exchange brings the others; those are for chains of loops that run several
// times between two exchanges, which nothing asks for yet. An element that is a read-only copy in a layer is not
// executed in the next ones.
// as_declared: the owned rows of sets that lie as this process declared them keep that order, and core ends at their
// first boundary element, so that loops wait for messages earlier.
void build_halos(Mesh &mesh, int depth, bool as_declared = false);

// Back from local tables to global numbers, without copies. Not collective.
void drop_halos(Mesh &mesh);

} // namespace op2::core
