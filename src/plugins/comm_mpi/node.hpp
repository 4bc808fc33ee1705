// Exchanges inside a node, through shared memory.
#pragma once

#include "comm_mpi.hpp"
#include "plugins/comm_common/mailboxes.hpp"

namespace op2::comm_mpi {

// Collective over the node. fine: false after a failure on this process. NULL: all messages go through MPI. Messages to
// and from a process with buffers in device memory always do.
std::unique_ptr<comm_common::Mailboxes> node_mailboxes(op_comm *comm, const op_comm_halo_params &params, bool fine);

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
