#include "loop/tiles/borders.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace op2::core {

namespace {

// The largest tile, to the average one and to all: beyond both, tiles of other kinds are better.
constexpr double most_unequal = 2.5, most_at_once = 0.25;
constexpr double longest_wait =
    1.0; // tiles that elements wait on average for those before them: then they run out of order
// Part of what a chain moves, of a loop whose elements are then looked at one by one; in others, block by block.
constexpr double small_loop = 0.05;

constexpr int none = std::numeric_limits<int>::max();

bool direct(const ChainLoop &loop, int set) {
  return std::ranges::any_of(loop.reaches, [set](const Reach &reach) { return reach.set == set && !reach.column; });
}

int row_of(const Reach &reach, int element) {
  return reach.column ? reach.column[static_cast<std::ptrdiff_t>(element) * reach.step] : element;
}

ReachTable make_table(const ChainLoop &loop, int set) {
  std::vector<Reach> reaches;
  std::ranges::copy_if(loop.reaches, std::back_inserter(reaches),
                       [set](const Reach &reach) { return reach.set == set; });
  ReachTable out;
  double ahead = 0;
  int highest = -1;
  for (int begin = 0; begin < loop.size; begin += ReachTable::block) {
    int lowest = none;
    int highest_of_block = -1;
    for (int e = begin; e < std::min(begin + ReachTable::block, loop.size); ++e) {
      int high = -1;
      for (const Reach &reach : reaches) {
        const int row = row_of(reach, e);
        high = std::max(high, row);
        lowest = std::min(lowest, row);
      }
      highest = std::max(highest, high);
      highest_of_block = std::max(highest_of_block, high);
      ahead += highest - high;
    }
    out.of_block.push_back({lowest, highest_of_block});
    out.highest.push_back(highest);
    out.lowest.push_back(lowest);
  }
  for (std::size_t k = out.lowest.size(); k-- > 1;) out.lowest[k - 1] = std::min(out.lowest[k - 1], out.lowest[k]);
  out.disorder = ahead / std::max(loop.size, 1);
  return out;
}

class BorderTiling {
 public:
  BorderTiling(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles, ReachTables &tables)
      : loops_(loops), rows_(rows), tiles_(static_cast<std::size_t>(std::max(tiles, 1))), tables_(tables) {
    for (const int size : rows) done_.emplace_back(tiles_, size);
    reached_.assign(rows.size(), false);
    steps_.resize(tiles_);
    work_.assign(tiles_, 0.0);
    for (const ChainLoop &loop : loops) bytes_ += loop.bytes;
  }

  std::optional<ChainTiles> all() {
    seed();
    for (std::size_t l = 0; l < loops_.size(); ++l) add(l);
    const double whole = std::reduce(work_.begin(), work_.end()), largest = std::ranges::max(work_);
    if (largest > whole * std::max(most_unequal / static_cast<double>(tiles_), most_at_once)) return std::nullopt;
    ChainTiles out;
    for (const std::vector<Step> &tile : steps_) {
      if (tile.empty()) continue;
      out.first.push_back(out.steps.size());
      out.steps.insert(out.steps.end(), tile.begin(), tile.end());
    }
    out.first.push_back(out.steps.size());
    return out;
  }

 private:
  using Borders = std::vector<int>;

  // Tiles begin as equal parts of the set whose rows cost most. Other sets follow through maps.
  void seed() {
    if (const int set = costliest_set(loops_, rows_.size()); set >= 0) spread(static_cast<std::size_t>(set));
  }
  void spread(std::size_t set) {
    for (std::size_t n = 0; n < tiles_; ++n)
      done_[set][n] = static_cast<int>((n + 1) * static_cast<std::size_t>(rows_[set]) / tiles_);
    reached_[set] = true;
  }

  static std::vector<int> sets_of(const ChainLoop &loop) {
    std::vector<int> out;
    for (const Reach &reach : loop.reaches)
      if (std::ranges::find(out, reach.set) == out.end()) out.push_back(reach.set);
    return out;
  }

  void add(std::size_t l) {
    const ChainLoop &loop = loops_[l];
    const std::vector<int> sets = sets_of(loop);
    const auto known = [&](int set) { return reached_[static_cast<std::size_t>(set)]; };
    if (std::ranges::none_of(sets, known)) // nothing before it matters
      for (const int set : sets)
        if (direct(loop, set)) spread(static_cast<std::size_t>(set));
    const auto waits_long = [&](int set) {
      return !direct(loop, set) && tables_.of(loop, set).disorder * static_cast<double>(tiles_) >
                                       longest_wait * rows_[static_cast<std::size_t>(set)];
    };
    if (loop.cuts.empty() && std::ranges::any_of(sets, waits_long))
      scattered(l, sets);
    else
      in_pieces(l, sets);
    for (const int set : sets) reached_[static_cast<std::size_t>(set)] = true;
  }

  void step(std::size_t l, std::size_t tile, int begin, int end) {
    std::vector<Step> &steps = steps_[tile];
    if (!steps.empty() && steps.back().loop == static_cast<int>(l) && steps.back().end == begin)
      steps.back().end = end;
    else
      steps.push_back(run_elements(static_cast<int>(l), begin, end));
    work_[tile] += loops_[l].bytes * (end - begin) / loops_[l].size;
  }

  // The first elements, all of whose rows are ready in this tile.
  int ready(const ChainLoop &loop, int set, int rows) {
    if (direct(loop, set) && columns(loop, set) == 0) return std::min(rows, loop.size);
    const std::vector<int> &highest = tables_.of(loop, set).highest;
    const auto blocks = std::ranges::lower_bound(highest, rows) - highest.begin(); // whose rows are below
    return std::min(static_cast<int>(blocks) * ReachTable::block, loop.size);
  }
  // No element from this one on reaches a row below the result.
  int first_row_kept(const ChainLoop &loop, int set, int element) {
    if (element >= loop.size) return none;
    if (direct(loop, set) && columns(loop, set) == 0) return element;
    return tables_.of(loop, set).lowest[static_cast<std::size_t>(element / ReachTable::block)];
  }
  static long columns(const ChainLoop &loop, int set) {
    return std::ranges::count_if(loop.reaches, [set](const Reach &reach) { return reach.set == set && reach.column; });
  }

  void in_pieces(std::size_t l, const std::vector<int> &sets) {
    const ChainLoop &loop = loops_[l];
    int begin = 0;
    for (std::size_t n = 0; n < tiles_; ++n) {
      int end = loop.size;
      if (n + 1 < tiles_)
        for (const int set : sets) end = std::min(end, ready(loop, set, done_[static_cast<std::size_t>(set)][n]));
      if (!loop.cuts.empty() && end < loop.size) end = *(std::ranges::upper_bound(loop.cuts, end) - 1);
      end = std::max(end, begin);
      if (end > begin) step(l, n, begin, end);
      for (const int set : sets) {
        int &rows = done_[static_cast<std::size_t>(set)][n];
        rows = std::min(rows, first_row_kept(loop, set, end));
      }
      begin = end;
    }
  }

  // Elements as early as they may be. Borders fall at once, so that elements that reach one row keep their order.
  void scattered(std::size_t l, const std::vector<int> &sets) {
    const ChainLoop &loop = loops_[l];
    const int together = loop.bytes < small_loop * bytes_ ? 1 : ReachTable::block;
    for (int begin = 0; begin < loop.size; begin += together) {
      const int end = std::min(begin + together, loop.size);
      std::ptrdiff_t tile = 0;
      for (const int set : sets) {
        const Borders &done = done_[static_cast<std::size_t>(set)];
        const int highest = rows_of(loop, set, begin, end).highest;
        tile = std::max(tile, std::ranges::upper_bound(done, highest) - done.begin());
      }
      tile = std::min(tile, std::ssize(steps_) - 1);
      for (const int set : sets) {
        Borders &done = done_[static_cast<std::size_t>(set)];
        const int lowest = rows_of(loop, set, begin, end).lowest;
        for (auto n = static_cast<std::size_t>(tile); n-- > 0 && done[n] > lowest;) done[n] = lowest;
      }
      step(l, static_cast<std::size_t>(tile), begin, end);
    }
  }
  // Of one element, or of a block.
  ReachTable::Rows rows_of(const ChainLoop &loop, int set, int begin, int end) {
    if (end - begin > 1) return tables_.of(loop, set).of_block[static_cast<std::size_t>(begin / ReachTable::block)];
    ReachTable::Rows out{none, -1};
    for (const Reach &reach : loop.reaches)
      if (const int row = row_of(reach, begin); reach.set == set)
        out = {std::min(out.lowest, row), std::max(out.highest, row)};
    return out;
  }

  std::span<const ChainLoop> loops_;
  std::span<const int> rows_;
  const std::size_t tiles_;
  ReachTables &tables_;
  std::vector<Borders> done_; // [set][tile]: so many first rows are not touched after this tile, so far
  std::vector<bool> reached_; // sets whose borders mean something
  std::vector<std::vector<Step>> steps_;
  std::vector<double> work_; // bytes of each tile
  double bytes_ = 0;         // of all loops
};

} // namespace

const ReachTable &ReachTables::of(const ChainLoop &loop, int set) {
  std::pair<int, Key> key = {loop.size, {}};
  for (const Reach &reach : loop.reaches)
    if (reach.set == set) key.second.emplace_back(reach.column, reach.step);
  std::ranges::sort(key.second);
  if (const auto known = tables_.find(key); known != tables_.end()) return known->second;
  return tables_.emplace(std::move(key), make_table(loop, set)).first->second; // as a whole: memory may end
}

std::optional<ChainTiles> tile_by_borders(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles,
                                          ReachTables &tables) {
  return BorderTiling(loops, rows, tiles, tables).all();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
