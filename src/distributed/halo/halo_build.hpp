// Builds halos: copies of other processes' elements, and local tables instead of global numbers.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// Turns a mesh in its global form (Set::global has the numbers of owned rows, Map::targets those of targets) into the
// order core | boundary | copies of mesh/halo.hpp, with local tables in all maps and room for the copies in all dats.
// depth: layers of copies, at least 1. Collective.
// Loops use and exchanges update the first layer only; further layers are for chains of loops that run together
// between two exchanges (loop/layers/layers.hpp).
// as_declared: owned rows that lie as this process declared them keep that order, and core ends at the set's first
// boundary element, so loops wait for messages earlier.
void build_halos(Mesh &mesh, int depth, bool as_declared = false);

// Turns local tables into global numbers and drops the copies. Not collective.
void drop_halos(Mesh &mesh);

} // namespace op2::core

// SPDX-License-Identifier: MIT
