#include "loop/phases/chain_schedule.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

namespace {

ChainTiles tiles_of(std::span<const ChainLoop> loops, const ChainToSchedule &chain, int wanted) {
  std::optional<ChainTiles> found = tile_by_borders(loops, chain.rows, wanted, chain.tables);
  return found ? std::move(*found) : tile_chain(loops, chain.rows, wanted);
}

} // namespace

ChainSchedule schedule_chain(const ChainToSchedule &chain, int tiles) {
  ChainSchedule out;
  out.phases.push_back({0, chain.loops.size(), tiles_of(chain.described, chain, tiles), nullptr});
  return out;
}

ChainSchedule schedule_chain(const ChainToSchedule &chain, std::span<const ChainPhase> phases,
                             std::span<const int> tiles) {
  ChainSchedule out;
  out.longest = longest_of(phases);
  for (const ChainPhase &phase : phases) {
    const std::span<const ChainLoop> described = chain.described.subspan(phase.first, phase.last - phase.first);
    std::vector<ThreadedPart> parts;
    for (std::size_t l = phase.first; l < phase.last; ++l) parts.push_back({chain.loops[l], l, 0, {}});
    ChainTiles found = tiles_of(described, chain, tiles[out.phases.size()]);
    auto threads = std::make_unique<ThreadedChain>(std::move(parts), described, found, phase.parts);
    out.phases.push_back({phase.first, phase.last, std::move(found), std::move(threads)});
  }
  return out;
}

int ChainSchedule::tiles() const {
  int most = 0;
  for (const Phase &phase : phases) most = std::max(most, phase.tiles.tiles());
  return most;
}

std::size_t ChainSchedule::pieces() const {
  std::size_t out = 0;
  for (const Phase &phase : phases) out += phase.tiles.steps.size();
  return out;
}

double ChainSchedule::bytes() const {
  double out = static_cast<double>(pieces() * sizeof(ChainStep));
  for (const Phase &phase : phases)
    if (phase.threads) out += bytes_of(phase.threads->schedule());
  return out;
}

std::string ChainSchedule::text() const {
  const std::string cut = phases.size() > 1 ? core::text(phases.size(), " phases of up to ") : "";
  return core::text(cut, tiles(), " tiles, ", pieces(), " pieces");
}

std::string ChainSchedule::threads_text() const {
  return phases.front().threads ? phases.front().threads->text(longest) : "";
}

} // namespace op2::core
