// The timing tables in OP2's formats, for scripts that read these formats.
#pragma once

#include <string>

#include "host/communicator.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

// What op_timing_output() of OP2 prints: means and standard deviations over the processes. Without the second rate of
// bytes, which OP2 estimates from its plans. The same text on every process. Collective.
std::string op2_timing_table(const StatsTable &own, Communicator &communicator);

// What OP2's op_timing_output_2_file() writes. Collective.
std::string op2_timing_totals(const StatsTable &own, Communicator &communicator);

// What OP2's op_timings_to_csv() writes: a row per loop of this process, its first thread standing for all of them.
std::string op2_timing_csv(const StatsTable &own, int rank, int processes, int threads);

} // namespace op2::core

// SPDX-License-Identifier: MIT
