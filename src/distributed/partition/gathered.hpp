// Divides a distributed graph on one process.
#pragma once

#include "host/partitioner.hpp"

namespace op2::core {

// For partitioners that divide graphs of one process only: process 0 gathers and divides the graph, then scatters the
// parts. All processes throw the errors of process 0; OP_ERR_UNSUPPORTED: the graph is too large. Collective.
std::vector<int> divide_gathered(Communicator &communicator, const Partitioner &partitioner, const PartGraph &graph,
                                 const PartShares &shares);

} // namespace op2::core

// SPDX-License-Identifier: MIT
