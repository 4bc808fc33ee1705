// The memory of halos: actual, and an upper bound from before they are built.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// Bytes on this process: copies of other processes' rows in all present dats, their rows of maps and their numbers. An
// executor with its own memory has the first two once more.
struct HaloMemory {
  double bytes = 0;
  double at_most = 0; // upper bound, known before processes requested copies
};

HaloMemory halo_memory(const Mesh &mesh);

} // namespace op2::core

// SPDX-License-Identifier: MIT
