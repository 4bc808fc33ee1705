// What the timing tables show of op_repartition() and OP2_REBALANCE.
#pragma once

#include <cstdint>
#include <string>

namespace op2::core {

// Imbalance: the work of the slowest process over the mean. All but the seconds are the same on all processes.
struct RepartitionStats {
  std::int64_t calls = 0, moves = 0; // calls that moved rows
  double rows = 0;                   // that went to another process, of all sets, over all processes
  double seconds = 0;                // of all calls
  double plans_before = 0;           // seconds in which loops had been prepared, at the first move
  double plan_seconds = 0;           // in which loops were prepared since then
  double before = 0, after = 0;      // sums of the imbalances of the moves

  double mean_before() const { return moves > 0 ? before / static_cast<double>(moves) : 1; }
  double mean_after() const { return moves > 0 ? after / static_cast<double>(moves) : 1; }
};

// "" where nobody has called.
std::string repartition_text(const RepartitionStats &stats);
std::string repartition_json(const RepartitionStats &stats); // an object

} // namespace op2::core
// SPDX-License-Identifier: MIT
