#include "loop/paged/paged_units.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core {

namespace {

// Small units: what runs, comes and leaves (PageTimes) is a third of the memory, and the rest stays from run to run.
constexpr int units_in_memory = 32;
constexpr PageTimes times = {.ahead = 7, .behind = 3};
// A unit is a launch for each of its loops.
constexpr int units_on_device = 4;
constexpr PageTimes device_times = {.ahead = 2, .behind = 0};
constexpr int tiles_of_limit = 16;  // at least so many in the memory that there is
constexpr int part_for_faults = 32; // of the limit, for chunks that come by page faults
constexpr int smaller = 4, attempts = 3;

} // namespace

bool PagedUnits::find(const PagedWork &work, std::span<Loop *const> loops, ChunkStore &pager, std::size_t kept) {
  ChunkUses uses(loops, pager);
  const std::size_t limit = pager.limit(), chunk = pager.chunk();
  const auto all = static_cast<std::int64_t>((limit - std::min(limit, kept)) / chunk);
  const std::int64_t chunks = all - all / part_for_faults - 1;
  const bool device = loops.front()->prepared().executor().caps().separate_memory;
  if (!cut(work, uses, chunks, device ? units_on_device : units_in_memory)) return false;
  PagePlan plan = plan_pages(uses.arrays(), uses_, chunks, device ? device_times : times);
  if (plan.units.size() != uses_.size()) return false;
  std::vector<Chunks> made;
  for (const Chunks &of : plan.start)
    if (uses.arrays()[static_cast<std::size_t>(of.array)].written_first) made.push_back(of);
  const auto translate = [&](std::vector<Chunks> &each) {
    for (Chunks &of : each) of.array = uses.pager_number(of.array);
  };
  translate(plan.start);
  translate(made);
  for (PageMoves &unit : plan.units)
    for (auto *const each : {&unit.drop, &unit.store, &unit.make, &unit.load, &unit.again, &unit.read, &unit.write})
      translate(*each);
  loaded_ = static_cast<double>(chunk) * static_cast<double>(plan.loaded);
  stored_ = static_cast<double>(chunk) * static_cast<double>(plan.stored);
  pages_ = {&pager, std::move(plan.units), std::move(plan.start), std::move(made)};
  uses_ = {};
  return true;
}

// Pieces become a unit as long as so many units fit into the limit.
bool PagedUnits::cut(const PagedWork &work, ChunkUses &uses, std::int64_t limit, int units) {
  const std::int64_t most = std::max<std::int64_t>(limit / units, 1);
  borders_.assign(1, 0);
  uses_.clear();
  for (int p = 0; p < work.pieces(); ++p) {
    uses.mark();
    work.add_uses(p, uses);
    const bool first = borders_.back() == p;
    if (!first && (uses.chunks() > most || !work.joins(p))) {
      uses.undo();
      uses_.push_back(uses.take());
      borders_.push_back(p);
      work.add_uses(p, uses);
    }
    if (uses.chunks() > limit) return false;
  }
  uses_.push_back(uses.take());
  borders_.push_back(work.pieces());
  return true;
}

void PagedUnits::add_steps(const PagedWork &work, Schedule &schedule,
                           std::vector<std::unique_ptr<ExecutorChain>> &groups) const {
  for (std::size_t u = 0; u < pages_.units.size(); ++u) {
    const PageMoves &unit = pages_.units[u];
    const int number = static_cast<int>(u);
    if (!unit.drop.empty()) schedule.add(Do::drop, 0, number);
    if (!unit.store.empty()) schedule.add(Do::store, 0, number);
    if (!unit.make.empty() || !unit.load.empty() || !unit.again.empty()) schedule.add(Do::load, 0, number);
    schedule.add(Do::need, 0, number);
    work.add_steps(borders_[u], borders_[u + 1], schedule, groups);
  }
}

std::string PagedUnits::text() const {
  return core::text(count(), " units, ", fixed(1e-6 * loaded_, 1), " MB read and ", fixed(1e-6 * stored_, 1),
                    " MB written in each run");
}

bool find_tile_size(double bytes, const ChunkStore &pager, const std::function<bool(double)> &find) {
  double tile = std::min(bytes, static_cast<double>(pager.limit()) / tiles_of_limit);
  for (int attempt = 0; attempt < attempts; ++attempt, tile /= smaller)
    if (find(tile)) return true;
  return false;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
