#include "loop/stats/stats_repartition.hpp"

#include "base/text.hpp"
#include "loop/stats/stats_line.hpp"

namespace op2::core {

std::string repartition_text(const RepartitionStats &stats) {
  if (stats.calls == 0) return "";
  const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
  std::string out = table_line("  repartition: %lld calls, %lld of them moved %.0f rows in all; %.4f s\n",
                               whole(stats.calls), whole(stats.moves), stats.rows, stats.seconds);
  if (stats.moves > 0)
    out += table_line("  imbalance %.3f before and %.3f after a move; loops prepared since the first one in %.4f s\n",
                      stats.mean_before(), stats.mean_after(), stats.plan_seconds);
  return out + "\n";
}

std::string repartition_json(const RepartitionStats &stats) {
  return text("{\"calls\": ", stats.calls, ", \"moves\": ", stats.moves, ", \"rows\": ", fixed(stats.rows, 0),
              ", \"seconds\": ", fixed(stats.seconds, 9), ", \"plan_seconds\": ", fixed(stats.plan_seconds, 9),
              ", \"imbalance_before\": ", fixed(stats.mean_before(), 6),
              ", \"imbalance_after\": ", fixed(stats.mean_after(), 6), "}");
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
