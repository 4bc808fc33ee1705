// Exchanges inside a node, through memory its processes share.
#pragma once

#include "comm_mpi.hpp"
#include "plugins/comm_common/mailboxes.hpp"

namespace op2::comm_mpi {

// Collective over the node. `fine`: nothing went wrong here before. NULL: all messages go through MPI. Those to and
// from a process whose buffers lie in memory of a device always do.
std::unique_ptr<comm_common::Mailboxes> node_mailboxes(op_comm *comm, const op_comm_halo_params &params, bool fine);

} // namespace op2::comm_mpi
