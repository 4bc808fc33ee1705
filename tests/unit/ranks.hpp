// ranks.hpp: ranks as threads of one process, for tests of what several processes do together, without MPI.
//
//   run_ranks(4, [](op2::core::Communicator &ranks) { EXPECT_EQ(ranks.sum(1), 4); });
//
// The communicator "threads" is strict where MPI is silent: ranks in different collectives, sizes that do not agree and
// ranks that wait for ever end the run with a message; messages are copied from the buffers as late as MPI may do it,
// and receive buffers hold rubbish until a message is there.
#pragma once

#include <functional>

#include "host.hpp"
#include "host/communicator.hpp"

namespace unit {

// Runs body on so many threads at once, each with a communicator that connects them. When one of them throws, the
// others throw as well in what they wait for, and the first exception is thrown again here. Assertions of GoogleTest
// may be used in body; what an ASSERT leaves early counts as gone.
void run_ranks(int processes, const std::function<void(op2::core::Communicator &)> &body);

// The same with the plugin host of the rank, for what needs executors or partitioners too.
void run_ranks(int processes, const std::function<void(op2::core::Communicator &, Host &)> &body);

} // namespace unit

// SPDX-License-Identifier: MIT
