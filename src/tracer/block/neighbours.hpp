// Neighbours of cells through their sides, on whichever process those are.
#pragma once

#include "host/communicator.hpp"
#include "tracer/block/source.hpp"

namespace op2::core::tracer {

// For each side of each cell, one cell after another, the number of the cell behind it; -1: none. Throws
// OP_ERR_ARGUMENT on all processes if more than two cells have the same side. Collective.
std::vector<std::int64_t> neighbours(Communicator &communicator, std::span<const CellRecord> cells);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
