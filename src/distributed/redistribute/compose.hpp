// The composition of two maps.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// The map through `first` and then `second`: column i * second.dim + j of element n is entry j of second for target i
// of first. The mesh owns the map. Collective.
Map &compose_maps(Mesh &mesh, op_map first, op_map second, const char *name);

} // namespace op2::core

// SPDX-License-Identifier: MIT
