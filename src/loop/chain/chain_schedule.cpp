#include "loop/chain/chain_schedule.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "loop/threads/tasks.hpp"

namespace op2::core {

ChainTiles tiles_of(std::span<const ChainLoop> loops, const ChainToSchedule &chain, int wanted) {
  std::optional<ChainTiles> found = tile_by_borders(loops, chain.rows, wanted, chain.tables);
  return found ? std::move(*found) : tile_chain(loops, chain.rows, wanted);
}

void close_calls(Schedule &schedule, std::size_t calls) {
  schedule.add_for_each(Do::mark_written, calls);
  schedule.first_closing_step = schedule.steps.size();
  schedule.add_for_each(Do::close, calls);
}

ChainSchedule schedule_chain(const ChainToSchedule &chain, int tiles) {
  ChainSchedule out;
  const ChainTiles found = tiles_of(chain.described, chain, tiles);
  out.tiles = found.tiles();
  out.pieces = found.steps.size();
  out.schedule.steps.reserve(found.steps.size() + 3 * chain.loops.size());
  out.schedule.add_for_each(Do::open, chain.loops.size());
  out.schedule.steps.insert(out.schedule.steps.end(), found.steps.begin(), found.steps.end());
  close_calls(out.schedule, chain.loops.size());
  out.bytes = static_cast<double>(out.schedule.steps.size() * sizeof(Step));
  return out;
}

ChainSchedule schedule_chain(const ChainToSchedule &chain, std::span<const ChainPhase> phases,
                             std::span<const int> tiles, int threads) {
  ChainSchedule out;
  out.longest = longest_of(phases);
  out.schedule.add_for_each(Do::open, chain.loops.size());
  for (const ChainPhase &phase : phases) {
    const std::span<const ChainLoop> described = chain.described.subspan(phase.first, phase.last - phase.first);
    std::vector<ChainPart> parts;
    for (std::size_t l = phase.first; l < phase.last; ++l) parts.push_back({chain.loops[l], l});
    const ChainTiles found = tiles_of(described, chain, tiles[out.groups.size()]);
    auto lists = std::make_unique<ThreadedChain>(std::move(parts), described, threads, [&](const auto &columns) {
      ChainLists out_of = list_chain(described, columns, found, phase.parts);
      for (op_exec_chain_list &list : out_of.lists) list.thread = list.thread * threads / phase.parts.parts;
      return out_of;
    });
    out.schedule.add(Do::run_group, static_cast<int>(phase.first), static_cast<int>(out.groups.size()));
    out.tiles = std::max(out.tiles, found.tiles());
    out.pieces += found.steps.size();
    out.bytes += bytes_of(lists->lists());
    out.threads = lists->threads();
    out.groups.push_back(std::move(lists));
  }
  close_calls(out.schedule, chain.loops.size());
  out.bytes += static_cast<double>(out.schedule.steps.size() * sizeof(Step));
  return out;
}

ChainSchedule schedule_tasks(const ChainToSchedule &chain, std::span<const double> borders, int threads) {
  ChainSchedule out;
  out.tasks = true;
  out.threads = threads;
  out.tiles = static_cast<int>(borders.size()) - 1;
  out.schedule.add_for_each(Do::open, chain.loops.size());
  std::vector<ChainPart> parts;
  for (std::size_t l = 0; l < chain.loops.size(); ++l) parts.push_back({chain.loops[l], l});
  auto tasks = std::make_unique<ThreadedChain>(std::move(parts), chain.described, threads, [&](const auto &columns) {
    return task_chain(chain.described, columns, deal_tasks(chain.described, chain.rows, borders), threads);
  });
  out.pieces = tasks->lists().lists.size();
  out.bytes = bytes_of(tasks->lists());
  out.groups.push_back(std::move(tasks));
  out.schedule.add(Do::run_group);
  close_calls(out.schedule, chain.loops.size());
  return out;
}

std::span<const double> ChainSchedule::cost() const {
  return static_cast<const ThreadedChain &>(*groups.front()).cost();
}

std::string ChainSchedule::text() const {
  if (tasks) return core::text(tiles, " parts, ", pieces, " tasks");
  const std::string cut = groups.size() > 1 ? core::text(groups.size(), " phases of up to ") : "";
  return core::text(cut, tiles, " tiles, ", pieces, " pieces");
}

std::string ChainSchedule::threads_text() const {
  return threads > 0 && !tasks ? ThreadedChain::text(threads, longest) : "";
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
