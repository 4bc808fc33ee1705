// The timing tables of several processes as one.
#pragma once

#include <deque>
#include <string>

#include "host/communicator.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

// On every process: the times of the slowest process, and the sums of everything else. Returns `own` if processes have
// run different loops. Collective.
StatsTable stats_of_all(const StatsTable &own, Communicator &communicator);

// The longest of `seconds` and of the dividing, the sums of everything else but calls, which all make together.
struct TracingOfAll {
  TracingStats sum;
  double imbalance_of_steps = 1, imbalance_of_seconds = 1; // of work: the most of a process over the mean
};
// Collective.
TracingOfAll tracing_of_all(const TracingStats &own, Communicator &communicator);
std::string tracing_text(const TracingOfAll &all, int processes); // "" if nothing was traced

// The sums of messages and elements over all processes. Collective.
std::deque<ChainStats> chains_of_all(const StatsTable &own, Communicator &communicator);
std::string chains_text(const std::deque<ChainStats> &all, int processes); // "" if none ran in layers

// Whether all processes have run the same loops, in the same order. Collective.
bool same_loops(const StatsTable &own, Communicator &communicator);

// The longest of all times, the sums of bytes, and in `most` the bytes of the process with most. Collective.
DivisionStats division_of_all(const DivisionStats &own, Communicator &communicator, double &most);
std::string division_text(const DivisionStats &all, double most, int processes);

// The exchanges: one line per loop that reads copies of other processes' rows, and one per dat. "" if no loop does.
std::string traffic_text(const StatsTable &all, int processes);

} // namespace op2::core

// SPDX-License-Identifier: MIT
