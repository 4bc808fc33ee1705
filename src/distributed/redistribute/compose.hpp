// The composition of two maps.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// From each element through `first` and then through `second`: element n, column i * second.dim + j leads to entry j of
// the i-th target. Collective.
Map &compose_maps(Mesh &mesh, op_map first, op_map second, const char *name);

} // namespace op2::core
