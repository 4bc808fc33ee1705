#include "loop/layers/layer_work.hpp"

#include <algorithm>
#include <utility>

#include "loop/threads/unit_lists.hpp"

namespace op2::core {

namespace {

// Rows that steps have touched which wait for copies.
class Waiting {
 public:
  explicit Waiting(std::span<const int> rows) {
    for (const int count : rows) touched_.emplace_back(static_cast<std::size_t>(count));
  }
  void add(const ChainLoop &loop, int begin, int end) {
    for (const Reach &reach : loop.reaches)
      for (int e = begin; e < end; ++e) at(reach, e) = 1;
  }
  // The first element that meets such a row.
  int first_in(const ChainLoop &loop, int begin, int end) {
    for (int e = begin; e < end; ++e)
      for (const Reach &reach : loop.reaches)
        if (at(reach, e)) return e;
    return end;
  }

 private:
  char &at(const Reach &reach, int e) {
    const int row = reach.column ? reach.column[static_cast<std::ptrdiff_t>(e) * reach.step] : e;
    return touched_[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(row)];
  }
  std::vector<std::vector<char>> touched_;
};

// The steps of the first tile, those first that need no copies, nor what steps before them make of copies. Returns
// their number.
std::size_t put_early_first(ChainTiles &tiles, const Stretches &all) {
  Waiting waiting(all.rows());
  std::vector<Step> early, late;
  for (std::size_t s = 0; s < tiles.first[1]; ++s) {
    const Step step = tiles.steps[s];
    const ChainLoop &loop = all.loops()[static_cast<std::size_t>(step.loop)];
    int ready = step.begin;
    if (!all.needs_copies(step.loop)) {
      ready = waiting.first_in(loop, step.begin, step.end);
      if (!loop.cuts.empty() && ready < step.end) ready = *(std::ranges::upper_bound(loop.cuts, ready) - 1);
      ready = std::max(ready, step.begin);
    }
    if (ready > step.begin) early.push_back(run_elements(step.loop, step.begin, ready));
    if (ready == step.end) continue;
    waiting.add(loop, ready, step.end);
    late.push_back(run_elements(step.loop, ready, step.end));
  }
  const std::size_t out = early.size(), before = tiles.first[1];
  early.insert(early.end(), late.begin(), late.end());
  for (std::size_t t = 1; t < tiles.first.size(); ++t) tiles.first[t] += out + late.size() - before;
  early.insert(early.end(), tiles.steps.begin() + static_cast<std::ptrdiff_t>(before), tiles.steps.end());
  tiles.steps = std::move(early);
  return out;
}

// Piece 0 is what of the first tile runs while messages travel, piece 1 the rest of this tile.
class LayerTileWork : public PagedWork {
 public:
  LayerTileWork(const Stretches &all, ChainTiles tiles) : all_(all), tiles_(std::move(tiles)) {
    early_ = tiles_.tiles() > 0 ? put_early_first(tiles_, all) : 0;
  }

  int pieces() const override { return std::max(tiles_.tiles(), 1) + 1; }
  bool joins(int) const override { return true; }
  void add_uses(int piece, ChunkUses &uses) const override {
    std::vector<Step> steps;
    for (const Step &step : steps_of(piece)) all_.add_steps(step, steps);
    for (const Step &step : steps) uses.add(step.loop, step.begin, step.end);
  }
  void add_steps(int first, int last, Schedule &schedule,
                 std::vector<std::unique_ptr<ExecutorChain>> &) const override {
    for (int piece = first; piece < last; ++piece) {
      if (piece == 1) schedule.add(Do::wait_messages);
      for (const Step &step : steps_of(piece)) {
        if (piece == 0) schedule.add(Do::advance);
        all_.add_steps(step, schedule.steps);
      }
    }
  }

 private:
  std::span<const Step> steps_of(int piece) const {
    if (tiles_.tiles() == 0) return {};
    const std::size_t tile = static_cast<std::size_t>(std::max(piece - 1, 0));
    const std::size_t begin = piece == 1 ? early_ : tiles_.first[tile];
    const std::size_t end = piece == 0 ? early_ : tiles_.first[tile + 1];
    return std::span(tiles_.steps).subspan(begin, end - begin);
  }
  const Stretches &all_;
  ChainTiles tiles_;
  std::size_t early_ = 0; // steps of the first tile
};

// The units of the lists, which begin when messages have come.
class LayerListWork : public PagedWork {
 public:
  LayerListWork(std::span<Loop *const> loops, const Stretches &all, const ChainTiles &tiles, int threads)
      : all_(all),
        parts_(all.parts(loops)),
        threads_(threads),
        units_(all.loops(), columns(), tiles, part_chain(all.loops(), all.rows(), threads, all.in_order())) {}

  int pieces() const override { return units_.units(); }
  bool joins(int piece) const override { return piece > 0 && piece < units_.together(); }
  void add_uses(int piece, ChunkUses &uses) const override {
    units_.each(piece, [&](int stretch, int begin, int end) {
      uses.add(static_cast<int>(parts_[static_cast<std::size_t>(stretch)].call), begin, end);
    });
  }
  void add_steps(int first, int last, Schedule &schedule,
                 std::vector<std::unique_ptr<ExecutorChain>> &groups) const override {
    if (first == 0) schedule.add(Do::wait_messages);
    auto lists = std::make_unique<ThreadedChain>(parts_, all_.loops(), threads_,
                                                 [&](const auto &) { return units_.lists(first, last, threads_); });
    if (lists->lists().lists.empty()) return;
    schedule.add(Do::run_group, 0, static_cast<int>(groups.size()));
    groups.push_back(std::move(lists));
  }

 private:
  std::vector<ChainColumns> columns() const {
    std::vector<ChainColumns> out;
    for (std::size_t s = 0; s < parts_.size(); ++s) out.push_back(columns_of(parts_[s], all_.loops()[s]));
    return out;
  }
  const Stretches &all_;
  const std::vector<ChainPart> parts_;
  const int threads_;
  const UnitLists units_;
};

} // namespace

std::unique_ptr<PagedWork> tile_work(const Stretches &all, ChainTiles tiles) {
  return std::make_unique<LayerTileWork>(all, std::move(tiles));
}

std::unique_ptr<PagedWork> list_work(std::span<Loop *const> loops, const Stretches &all, const ChainTiles &tiles,
                                     int threads) {
  return std::make_unique<LayerListWork>(loops, all, tiles, threads);
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
