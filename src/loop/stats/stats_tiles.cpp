#include "loop/stats/stats_tiles.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "loop/stats/stats_line.hpp"

namespace op2::core {

std::string ways_text(const std::vector<TiledChainStats::Way> &ways) {
  std::string out;
  for (const TiledChainStats::Way &way : ways)
    out += text(out.empty() ? "" : ", ", fixed(1e3 * way.seconds, 3), " ms ",
                way.tiles > 0 ? text("in ", way.tiles, way.tiles == 1 ? " tile" : " tiles") : "loop after loop");
  return out;
}

std::string tiles_text(const std::deque<TiledChainStats> &chains) {
  std::string out;
  std::size_t width = 14;
  const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
  for (const TiledChainStats &chain : chains)
    if (chain.runs > 0) width = std::clamp(chain.name.size(), width, std::size_t{60});
  const int name_width = static_cast<int>(width);
  for (const TiledChainStats &chain : chains) {
    if (chain.runs == 0) continue;
    if (out.empty())
      out = table_line("  chains\n  %-*s %6s %9s %9s %11s %11s %9s %7s %8s %9s %9s\n", name_width, "chain", "loops",
                       "runs", "in tiles", "seconds", "us/run", "MB", "tiles", "pieces", "found ms", "tables MB");
    out += table_line("  %-*.60s %6lld %9lld %9lld %11.4f %11.2f %9.1f %7lld %8lld %9.3f %9.3f\n", name_width,
                      chain.name.c_str(), whole(chain.loops), whole(chain.runs), whole(chain.in_tiles), chain.seconds,
                      1e6 * chain.seconds / static_cast<double>(chain.runs), 1e-6 * chain.bytes, whole(chain.tiles),
                      whole(chain.pieces), 1e3 * chain.found_seconds, 1e-6 * chain.schedule_bytes);
  }
  for (const TiledChainStats &chain : chains) {
    if (chain.runs == 0) continue;
    if (!chain.ways.empty()) out += text("  ways of ", chain.name, " by time: ", ways_text(chain.ways), "\n");
    if (!chain.why.empty()) out += text("  no tiles: ", chain.name, ": ", chain.why, "\n");
  }
  return out.empty() ? out : out + "\n";
}

std::string tiles_json(const std::deque<TiledChainStats> &chains) {
  std::string out;
  for (const TiledChainStats &chain : chains) {
    std::string ways;
    for (const TiledChainStats::Way &way : chain.ways)
      ways += text(ways.empty() ? "" : ", ", "{\"tiles\": ", way.tiles, ", \"seconds\": ", fixed(way.seconds, 9), "}");
    out += text(out.empty() ? "" : ", ", "{\"chain\": ", json_string(chain.name), ", \"loops\": ", chain.loops,
                ", \"runs\": ", chain.runs, ", \"in_tiles\": ", chain.in_tiles,
                ", \"seconds\": ", fixed(chain.seconds, 9), ", \"found_seconds\": ", fixed(chain.found_seconds, 9),
                ", \"bytes\": ", fixed(chain.bytes, 0), ", \"threads\": ", chain.threads, ", \"tiles\": ", chain.tiles,
                ", \"pieces\": ", chain.pieces, ", \"schedule_bytes\": ", fixed(chain.schedule_bytes, 0),
                ", \"no_tiles\": ", json_string(chain.why), ", \"ways\": [", ways, "]}");
  }
  return text("[", out, "]");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
