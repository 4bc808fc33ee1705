// Messages that nobody has announced.
#pragma once

#include <vector>

#include "comm_mpi.hpp"
#include "plugins/comm_common/sparse_messages.hpp"

namespace op2::comm_mpi {

// Receives one message with this tag from whomever; false: none is there.
bool receive_any(op_comm *comm, int tag, std::vector<comm_common::Message> &messages);

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
