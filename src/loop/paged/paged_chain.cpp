#include "loop/paged/paged_chain.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "loop/chain/traffic.hpp"

namespace op2::core {

namespace {

constexpr double for_device = 1e18; // bytes of a tile: caches do not count
constexpr double most_tiles = 60000;

std::vector<Loop *> loops_of(std::span<const ChainCall> calls) {
  std::vector<Loop *> out;
  for (const ChainCall &call : calls) out.push_back(call.loop);
  return out;
}

double tile_bytes_of(const PagedChainOptions &options, std::span<const ChainCall> calls) {
  if (options.tile_bytes > 0) return options.tile_bytes;
  const Executor &executor = calls.front().loop->prepared().executor();
  if (executor.caps().separate_memory) return for_device; // as few launches as the limit allows
  return tile_sizes(options.caches, executor.runs_chains() ? executor.caps().concurrency : 0)[1];
}

} // namespace

PagedChain::PagedChain(std::span<const ChainCall> calls, ChunkStore &pager, const PagedChainOptions &options)
    : loops_(loops_of(calls)), chain_(calls, tile_bytes_of(options, calls), options.caches), why_(chain_.why()) {
  if (!why_.empty()) return;
  const double start = now();
  if (!find_tile_size(tile_bytes_of(options, calls), pager, [&](double bytes) { return find(bytes, pager); }))
    why_ = "a tile needs more memory than the limit allows";
  seconds_ = now() - start;
}

bool PagedChain::find(double tile_bytes, ChunkStore &pager) {
  ReachTables tables;
  const ChainToSchedule chain{loops_, chain_.described(), chain_.rows(), tables};
  const Executor &executor = loops_.front()->prepared().executor();
  const int threads = executor.runs_chains() ? executor.caps().concurrency : 0;
  tiles_ = static_cast<int>(std::min(touched_bytes(loops_) / tile_bytes + 1, most_tiles));
  const std::unique_ptr<PagedWork> work = paged_work(chain, tiles_, threads);
  if (!units_.find(*work, loops_, pager)) return false;
  schedule_.add_for_each(Do::open, loops_.size());
  units_.add_steps(*work, schedule_, groups_);
  close_calls(schedule_, loops_.size());
  return true;
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
  return core::text(loops_.size(), " loops, ", tiles_, " tiles in ", units_.text(), ", found in ",
                    fixed(1e3 * seconds_, 1), " ms");
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
