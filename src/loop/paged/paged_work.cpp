#include "loop/paged/paged_work.hpp"

#include <algorithm>

#include "loop/threads/unit_lists.hpp"

namespace op2::core {

namespace {

class TileWork : public PagedWork {
 public:
  TileWork(const ChainToSchedule &chain, int tiles) : tiles_(tiles_of(chain.described, chain, tiles)) {}

  int pieces() const override { return tiles_.tiles(); }
  bool joins(int) const override { return true; }
  void add_uses(int piece, ChunkUses &uses) const override {
    for (const Step &step : steps(piece, piece + 1)) uses.add(step.loop, step.begin, step.end);
  }
  void add_steps(int first, int last, Schedule &schedule,
                 std::vector<std::unique_ptr<ExecutorChain>> &) const override {
    const std::span<const Step> all = steps(first, last);
    schedule.steps.insert(schedule.steps.end(), all.begin(), all.end());
  }

 private:
  std::span<const Step> steps(int first, int last) const {
    const std::size_t begin = tiles_.first[static_cast<std::size_t>(first)];
    return std::span(tiles_.steps).subspan(begin, tiles_.first[static_cast<std::size_t>(last)] - begin);
  }
  const ChainTiles tiles_;
};

// Phase after phase, each in the units of its lists.
class ThreadWork : public PagedWork {
 public:
  ThreadWork(const ChainToSchedule &chain, int tiles, int threads) : chain_(chain), threads_(threads) {
    for (ChainPhase &phase : phase_chain(chain.described, chain.rows, threads, most_uneven_phase))
      add_phase(phase, std::max(tiles, threads));
  }

  int pieces() const override { return static_cast<int>(pieces_.size()); }
  bool joins(int piece) const override {
    const Piece &at = pieces_[static_cast<std::size_t>(piece)];
    return at.unit > 0 && at.unit < phases_[at.phase].units.together();
  }
  void add_uses(int piece, ChunkUses &uses) const override {
    const Piece &at = pieces_[static_cast<std::size_t>(piece)];
    const Phase &phase = phases_[at.phase];
    phase.units.each(at.unit,
                     [&](int loop, int begin, int end) { uses.add(static_cast<int>(phase.first) + loop, begin, end); });
  }
  void add_steps(int first, int last, Schedule &schedule,
                 std::vector<std::unique_ptr<ExecutorChain>> &groups) const override {
    const Piece &begin = pieces_[static_cast<std::size_t>(first)];
    const Phase &phase = phases_[begin.phase];
    auto lists = std::make_unique<ThreadedChain>(parts(phase), described(phase), threads_, [&](const auto &) {
      return phase.units.lists(begin.unit, begin.unit + last - first, threads_);
    });
    if (lists->lists().lists.empty()) return;
    schedule.add(Do::run_group, static_cast<int>(phase.first), static_cast<int>(groups.size()));
    groups.push_back(std::move(lists));
  }

 private:
  struct Phase {
    std::size_t first, last; // loops
    UnitLists units;
  };
  struct Piece {
    std::size_t phase;
    int unit;
  };
  std::span<const ChainLoop> described(const auto &phase) const {
    return chain_.described.subspan(phase.first, phase.last - phase.first);
  }
  std::vector<ChainPart> parts(const auto &phase) const {
    std::vector<ChainPart> out;
    for (std::size_t l = phase.first; l < phase.last; ++l) out.push_back({chain_.loops[l], l});
    return out;
  }
  void add_phase(const ChainPhase &phase, int tiles) {
    const ChainTiles found = tiles_of(described(phase), chain_, tiles);
    std::vector<ChainColumns> columns;
    for (const ChainPart &part : parts(phase)) columns.push_back(columns_of(part, chain_.described[part.call]));
    phases_.push_back({phase.first, phase.last, UnitLists(described(phase), columns, found, phase.parts)});
    for (int u = 0; u < phases_.back().units.units(); ++u) pieces_.push_back({phases_.size() - 1, u});
  }

  const ChainToSchedule chain_;
  const int threads_;
  std::vector<Phase> phases_;
  std::vector<Piece> pieces_;
};

} // namespace

std::unique_ptr<PagedWork> paged_work(const ChainToSchedule &chain, int tiles, int threads) {
  if (threads == 0) return std::make_unique<TileWork>(chain, tiles);
  return std::make_unique<ThreadWork>(chain, tiles, threads);
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
