#include "loop/paged/paged_chain.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "loop/chain/traffic.hpp"

namespace op2::core {

namespace {

constexpr int units_in_memory = 4; // one that runs, two that come, one that leaves
constexpr int tiles_of_limit = 16; // at least so many in the memory that there is
constexpr int part_for_faults = 32; // of the limit, for chunks that come by page faults
constexpr int smaller = 4, attempts = 3;
constexpr double most_tiles = 60000;

std::vector<Loop *> loops_of(std::span<const ChainCall> calls) {
  std::vector<Loop *> out;
  for (const ChainCall &call : calls) out.push_back(call.loop);
  return out;
}

double tile_bytes_of(const PagedChainOptions &options, std::span<const ChainCall> calls) {
  if (options.tile_bytes > 0) return options.tile_bytes;
  const Executor &executor = calls.front().loop->prepared().executor();
  return tile_sizes(options.caches, executor.runs_chains() ? executor.caps().concurrency : 0)[1];
}

} // namespace

PagedChain::PagedChain(std::span<const ChainCall> calls, Pager &pager, const PagedChainOptions &options)
    : loops_(loops_of(calls)), chain_(calls, tile_bytes_of(options, calls), options.caches), why_(chain_.why()) {
  if (!why_.empty()) return;
  const double start = now();
  double tile = tile_bytes_of(options, calls);
  const double limit = static_cast<double>(pager.options().limit);
  tile = std::min(tile, limit / tiles_of_limit);
  why_ = "a tile needs more memory than OP2_MEMORY_LIMIT allows";
  for (int attempt = 0; attempt < attempts && !why_.empty(); ++attempt, tile /= smaller)
    if (find(tile, pager, limit)) why_.clear();
  units_ = {};
  borders_ = {};
  seconds_ = now() - start;
}

bool PagedChain::find(double tile_bytes, Pager &pager, double limit) {
  ReachTables tables;
  const ChainToSchedule chain{loops_, chain_.described(), chain_.rows(), tables};
  const Executor &executor = loops_.front()->prepared().executor();
  const int threads = executor.runs_chains() ? executor.caps().concurrency : 0;
  tiles_ = static_cast<int>(std::min(touched_bytes(loops_) / tile_bytes + 1, most_tiles));
  const std::unique_ptr<PagedWork> work = paged_work(chain, tiles_, threads);
  ChunkUses uses(loops_, pager);
  const auto all = static_cast<std::int64_t>(limit / static_cast<double>(pager.options().chunk));
  const std::int64_t chunks = all - all / part_for_faults - 1;
  if (!cut(*work, uses, chunks)) return false;
  PagePlan plan = plan_pages(uses.arrays(), units_, chunks);
  if (plan.units.size() != units_.size()) return false;
  const auto translate = [&](std::vector<Chunks> &all) {
    for (Chunks &each : all) each.array = uses.pager_number(each.array);
  };
  translate(plan.start);
  for (PageMoves &unit : plan.units)
    for (auto *const all : {&unit.drop, &unit.store, &unit.make, &unit.load, &unit.read, &unit.write}) translate(*all);
  const auto chunk = static_cast<double>(pager.options().chunk);
  loaded_ = chunk * static_cast<double>(plan.loaded);
  stored_ = chunk * static_cast<double>(plan.stored);
  start_ = std::move(plan.start);
  pages_ = {&pager, std::move(plan.units)};
  write_schedule(*work);
  return true;
}

// Pieces become a unit as long as so many units fit into the limit.
bool PagedChain::cut(const PagedWork &work, ChunkUses &uses, std::int64_t limit) {
  const std::int64_t most = std::max<std::int64_t>(limit / units_in_memory, 1);
  borders_.assign(1, 0);
  units_.clear();
  for (int p = 0; p < work.pieces(); ++p) {
    uses.mark();
    work.add_uses(p, uses);
    const bool first = borders_.back() == p;
    if (!first && (uses.chunks() > most || !work.joins(p))) {
      uses.undo();
      units_.push_back(uses.take());
      borders_.push_back(p);
      work.add_uses(p, uses);
    }
    if (uses.chunks() > limit) return false;
  }
  units_.push_back(uses.take());
  borders_.push_back(work.pieces());
  return true;
}

void PagedChain::write_schedule(const PagedWork &work) {
  schedule_ = {};
  groups_.clear();
  schedule_.add_for_each(Do::open, loops_.size());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const PageMoves &unit = pages_.units[u];
    const int number = static_cast<int>(u);
    if (!unit.drop.empty()) schedule_.add(Do::drop, 0, number);
    if (!unit.store.empty()) schedule_.add(Do::store, 0, number);
    if (!unit.make.empty() || !unit.load.empty()) schedule_.add(Do::load, 0, number);
    schedule_.add(Do::need, 0, number);
    work.add_steps(borders_[u], borders_[u + 1], schedule_, groups_);
  }
  close_calls(schedule_, loops_.size());
}

void PagedChain::report(TiledChainStats &out) const {
  out.bytes = chain_.bytes();
  out.threads = chain_.threads();
  out.found_seconds = seconds_;
  out.tiles = tiles_;
  out.pieces = static_cast<std::int64_t>(schedule_.steps.size());
  out.schedule_bytes = static_cast<double>(schedule_.steps.size() * sizeof(Step));
}

std::string PagedChain::text() const {
  return core::text(loops_.size(), " loops in ", pages_.units.size(), " units of ", tiles_, " tiles, ",
                    fixed(1e-6 * loaded_, 1), " MB read and ", fixed(1e-6 * stored_, 1),
                    " MB written in each run, found in ", fixed(1e3 * seconds_, 1), " ms");
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
