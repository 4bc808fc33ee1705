// The timing tables of several processes as one.
#pragma once

#include <string>

#include "host/communicator.hpp"
#include "loop/stats.hpp"

namespace op2::core {

// Times of the slowest process, everything else summed up, on every process. Where processes have run different loops:
// the own table. Collective.
StatsTable stats_of_all(const StatsTable &own, Communicator &communicator);

// Whether all processes have run the same loops, in the same order. Collective.
bool same_loops(const StatsTable &own, Communicator &communicator);

// Who exchanged what: one line per loop that did, and one per dat. "" when nothing was exchanged.
std::string traffic_text(const StatsTable &all, int processes);

} // namespace op2::core
