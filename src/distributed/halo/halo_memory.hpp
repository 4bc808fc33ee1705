// What halos take in memory: before they are made, at worst; and as they are.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// Bytes on this process: copies of other processes' rows in all dats of now, their rows of maps and their numbers. An
// executor with memory of its own has the first two once more.
struct HaloMemory {
  double bytes = 0;
  double at_most = 0; // what it might have become, as far as was known before copies were asked for
};

HaloMemory halo_memory(const Mesh &mesh);

} // namespace op2::core
