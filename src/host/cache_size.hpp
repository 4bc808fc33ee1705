// The caches of this machine. What a system reports is a guess: a virtual machine shows the last-level cache of a whole
// chip that strangers use, too. So nothing is decided by these sizes where times can decide.
#pragma once

#include <array>

#include "base/settings.hpp"

namespace op2::core {

// Bytes.
struct Caches {
  double own;  // the second-level cache, which most processors have for each core
  double last; // a process' share of the last-level cache
};

// By OP2_CHAIN_TILE ("1024,32768"), or as the system reports them, otherwise 1 MiB and 32 MiB. processes: that are
// spread evenly over the machine.
Caches caches_of(const Settings &settings, int processes);

// Rows of a tile, in bytes, by OP2_CHAIN_TILE ("1024"); 0 = those that caches suggest. Throws OP_ERR_ARGUMENT.
double tile_bytes_of(const Settings &settings);

// Rows of a tile to be tried, ascending: from half of a core's own cache to an eighth of each thread's share of the
// last-level one, and one in between.
std::array<double, 3> tile_sizes(const Caches &caches, int threads);

} // namespace op2::core

// SPDX-License-Identifier: MIT
