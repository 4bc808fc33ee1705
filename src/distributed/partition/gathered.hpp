// Dividing a distributed graph on one process.
#pragma once

#include "host/partitioner.hpp"

namespace op2::core {

// For partitioners that divide graphs of one process only: the graph goes to process 0, the parts come back. Throws
// what happens there on all processes; OP_ERR_UNSUPPORTED where the graph is too large. Collective.
std::vector<int> divide_gathered(Communicator &communicator, const Partitioner &partitioner, const PartGraph &graph,
                                 const PartShares &shares);

} // namespace op2::core
