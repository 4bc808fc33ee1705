// Divides a whole mesh in memory into parts.
#pragma once

#include <vector>

#include "host/partitioner.hpp"
#include "meshfile/model.hpp"

namespace op2::core {

// The part of each cell, by plugin scotch over the graph of the cells. A single process without the plugin divides by
// coordinates, with a message. Throws OP_ERR_ARGUMENT, OP_ERR_BACKEND.
std::vector<int> divide_mesh(const MeshModel &model, int parts, Registry &registry, const Services &services,
                             Communicator &communicator, const Log &log);

} // namespace op2::core

// SPDX-License-Identifier: MIT
