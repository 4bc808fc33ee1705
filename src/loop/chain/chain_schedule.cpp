#include "loop/chain/chain_schedule.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

namespace {

ChainTiles tiles_of(std::span<const ChainLoop> loops, const ChainToSchedule &chain, int wanted) {
  std::optional<ChainTiles> found = tile_by_borders(loops, chain.rows, wanted, chain.tables);
  return found ? std::move(*found) : tile_chain(loops, chain.rows, wanted);
}

void close(Schedule &schedule, std::size_t loops) {
  schedule.add_for_each(Do::mark_written, loops);
  schedule.first_closing_step = schedule.steps.size();
  schedule.add_for_each(Do::close, loops);
}

} // namespace

ChainSchedule schedule_chain(const ChainToSchedule &chain, int tiles) {
  ChainSchedule out;
  const ChainTiles found = tiles_of(chain.described, chain, tiles);
  out.tiles = found.tiles();
  out.pieces = found.steps.size();
  out.schedule.steps.reserve(found.steps.size() + 3 * chain.loops.size());
  out.schedule.add_for_each(Do::open, chain.loops.size());
  out.schedule.steps.insert(out.schedule.steps.end(), found.steps.begin(), found.steps.end());
  close(out.schedule, chain.loops.size());
  out.bytes = static_cast<double>(out.schedule.steps.size() * sizeof(Step));
  return out;
}

ChainSchedule schedule_chain(const ChainToSchedule &chain, std::span<const ChainPhase> phases,
                             std::span<const int> tiles) {
  ChainSchedule out;
  out.longest = longest_of(phases);
  out.schedule.add_for_each(Do::open, chain.loops.size());
  for (const ChainPhase &phase : phases) {
    const std::span<const ChainLoop> described = chain.described.subspan(phase.first, phase.last - phase.first);
    std::vector<ChainPart> parts;
    for (std::size_t l = phase.first; l < phase.last; ++l) parts.push_back({chain.loops[l], l});
    const ChainTiles found = tiles_of(described, chain, tiles[out.groups.size()]);
    auto threads = std::make_unique<ThreadedChain>(std::move(parts), described, found, phase.parts);
    out.schedule.add(Do::run_group, static_cast<int>(phase.first), static_cast<int>(out.groups.size()));
    out.tiles = std::max(out.tiles, found.tiles());
    out.pieces += found.steps.size();
    out.bytes += bytes_of(threads->lists());
    out.threads = threads->threads();
    out.groups.push_back(std::move(threads));
  }
  close(out.schedule, chain.loops.size());
  out.bytes += static_cast<double>(out.schedule.steps.size() * sizeof(Step));
  return out;
}

std::string ChainSchedule::text() const {
  const std::string cut = groups.size() > 1 ? core::text(groups.size(), " phases of up to ") : "";
  return core::text(cut, tiles, " tiles, ", pieces, " pieces");
}

std::string ChainSchedule::threads_text() const { return threads > 0 ? ThreadedChain::text(threads, longest) : ""; }

} // namespace op2::core

// SPDX-License-Identifier: MIT
