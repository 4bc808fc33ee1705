#include "loop/tiles/segments.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "loop/tiles/extents.hpp"

namespace op2::core {

namespace {

using Stamp = std::uint16_t;
constexpr int most_tiles = 65535;
// Contiguous pieces are worth more than elements as early as they may be, unless these wait so many tiles on average.
// Those of small loops, such as the edges of a boundary, do not wait: few pieces more are nothing beside the rows that
// would wait for them, and all rows behind these.
constexpr double long_wait = 1.0;
constexpr int much_smaller = 32;

// The stamps of the rows of one set, with bounds for each block of rows. Stamps only rise.
class Stamps {
 public:
  explicit Stamps(int rows)
      : stamps_(static_cast<std::size_t>(rows), 0),
        least_(static_cast<std::size_t>((rows + extent_block - 1) / extent_block), 0),
        most_(least_),
        dirty_(least_.size()) {}

  int rows() const { return static_cast<int>(stamps_.size()); }
  Stamp of(int row) const { return stamps_[static_cast<std::size_t>(row)]; }
  void raise(int row, Stamp stamp) {
    Stamp &at = stamps_[static_cast<std::size_t>(row)];
    if (at >= stamp) return;
    at = stamp;
    const auto b = static_cast<std::size_t>(row / extent_block);
    most_[b] = std::max(most_[b], stamp);
    if (!std::exchange(dirty_[b], 1)) dirty_blocks_.push_back(b);
  }
  // Until then, lower bounds may be lower than they need to be.
  void tighten() {
    for (const std::size_t b : dirty_blocks_) {
      const auto first = stamps_.begin() + static_cast<std::ptrdiff_t>(b) * extent_block;
      least_[b] = *std::min_element(first, first + std::min(std::ptrdiff_t{extent_block}, stamps_.end() - first));
      dirty_[b] = 0;
    }
    dirty_blocks_.clear();
  }
  Stamp least(const Extent &extent) const {
    return *std::min_element(least_.begin() + extent.first_block(), least_.begin() + extent.last_block() + 1);
  }
  Stamp most(const Extent &extent) const {
    return *std::max_element(most_.begin() + extent.first_block(), most_.begin() + extent.last_block() + 1);
  }

 private:
  std::vector<Stamp> stamps_, least_, most_;
  std::vector<char> dirty_; // blocks
  std::vector<std::size_t> dirty_blocks_;
};

class Tiling {
 public:
  Tiling(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles, std::span<const int> in_order)
      : loops_(loops), tiles_(std::clamp(tiles, 1, most_tiles)), in_order_(in_order), pieces_(loops.size()) {
    for (const int count : rows) stamps_.emplace_back(count);
    reached_.assign(rows.size(), false);
    for (const ChainLoop &loop : loops) largest_ = std::max(largest_, loop.size);
  }

  ChainTiles all() {
    seed();
    for (std::size_t l = 0; l < loops_.size(); ++l) add(l);
    return in_order();
  }

 private:
  struct Piece {
    int tile, begin, end;
  };

  // Tiles begin as equal parts of the set whose rows cost most. Other sets follow through maps.
  void seed() {
    if (const int set = costliest_set(loops_, stamps_.size()); set >= 0) spread(set);
  }
  void spread(int set) {
    Stamps &stamps = stamps_[static_cast<std::size_t>(set)];
    const int rows = in_order_.empty() ? stamps.rows() : in_order_[static_cast<std::size_t>(set)];
    for (int r = 0; r < rows; ++r) stamps.raise(r, static_cast<Stamp>(static_cast<std::int64_t>(r) * tiles_ / rows));
    stamps.tighten();
    reached_[static_cast<std::size_t>(set)] = true;
  }

  Stamps &stamps_of(const Reach &reach) { return stamps_[static_cast<std::size_t>(reach.set)]; }
  Stamp earliest(const ChainLoop &loop, int element) {
    Stamp out = 0;
    for (const Reach &reach : loop.reaches) out = std::max(out, stamps_of(reach).of(reached_row(reach, element)));
    return out;
  }
  // Of all elements of a block, if it is the same for all.
  bool earliest_of_block(const ChainLoop &loop, int b, Stamp &out) {
    Stamp least = 0, most = 0;
    for (std::size_t r = 0; r < loop.reaches.size(); ++r) {
      const Extent extent = extents_now_.at(r, b);
      if (extent.wide()) return false;
      least = std::max(least, stamps_of(loop.reaches[r]).least(extent));
      most = std::max(most, stamps_of(loop.reaches[r]).most(extent));
    }
    out = most;
    return least == most;
  }

  void add(std::size_t l) {
    const ChainLoop &loop = loops_[l];
    const bool known = std::any_of(loop.reaches.begin(), loop.reaches.end(),
                                   [&](const Reach &reach) { return reached_[static_cast<std::size_t>(reach.set)]; });
    if (!known) // nothing before it matters
      for (const Reach &reach : loop.reaches)
        if (!reach.column) spread(reach.set);
    extents_now_.find(loop, extents_);
    double waits = 0;
    std::vector<Piece> pieces = contiguous(loop, waits);
    const double may_wait = loop.size < largest_ / much_smaller ? 0 : long_wait * loop.size;
    if (loop.cuts.empty() && waits > may_wait) pieces = scattered(loop);
    for (const Piece &piece : pieces) mark(loop, piece);
    for (const Reach &reach : loop.reaches) stamps_of(reach).tighten();
    for (const Reach &reach : loop.reaches) reached_[static_cast<std::size_t>(reach.set)] = true;
    pieces_[l] = std::move(pieces);
  }

  std::vector<Piece> contiguous(const ChainLoop &loop, double &waits) {
    std::vector<Piece> out;
    int tile = 0, begin = 0;
    for (int e = 0; e < loop.size; ++e) {
      if (Stamp all = 0; e % extent_block == 0 && earliest_of_block(loop, e / extent_block, all) && all <= tile) {
        const int end = extents_now_.end_of(e / extent_block);
        waits += static_cast<double>(tile - all) * (end - e);
        e = end - 1;
        continue;
      }
      const int least = earliest(loop, e);
      if (least > tile) {
        const int cut = cut_before(loop, e);
        if (cut > begin) {
          out.push_back({tile, begin, cut});
          begin = cut;
        }
        tile = least;
      }
      waits += tile - least;
    }
    if (begin < loop.size) out.push_back({tile, begin, loop.size});
    return out;
  }
  static int cut_before(const ChainLoop &loop, int element) {
    if (loop.cuts.empty()) return element;
    return *(std::upper_bound(loop.cuts.begin(), loop.cuts.end(), element) - 1);
  }

  // Each element as early as it may be. Stamps rise at once where elements change rows, so that those that change one
  // row keep their order.
  std::vector<Piece> scattered(const ChainLoop &loop) {
    std::vector<Piece> out;
    for (int e = 0; e < loop.size; ++e) {
      const Stamp tile = earliest(loop, e);
      for (const Reach &reach : loop.reaches)
        if (reach.adds) stamps_of(reach).raise(reached_row(reach, e), tile);
      if (out.empty() || out.back().tile != tile) out.push_back({tile, e, e});
      out.back().end = e + 1;
    }
    return out;
  }

  void mark(const ChainLoop &loop, const Piece &piece) {
    const Stamp tile = static_cast<Stamp>(piece.tile);
    for (std::size_t r = 0; r < loop.reaches.size(); ++r) {
      Stamps &stamps = stamps_of(loop.reaches[r]);
      for (int e = piece.begin; e < piece.end;) {
        const int b = e / extent_block, end = std::min(extents_now_.end_of(b), piece.end);
        const Extent extent = extents_now_.at(r, b);
        const bool done = end - e > 1 && !extent.wide() && stamps.least(extent) >= tile;
        for (; !done && e < end; ++e) stamps.raise(reached_row(loop.reaches[r], e), tile);
        e = end;
      }
    }
  }

  ChainTiles in_order() const {
    std::vector<std::vector<Step>> steps(static_cast<std::size_t>(tiles_));
    for (std::size_t l = 0; l < pieces_.size(); ++l)
      for (const Piece &piece : pieces_[l])
        steps[static_cast<std::size_t>(piece.tile)].push_back(run_elements(static_cast<int>(l), piece.begin, piece.end));
    ChainTiles out;
    for (const std::vector<Step> &tile : steps) {
      if (tile.empty()) continue;
      out.first.push_back(out.steps.size());
      out.steps.insert(out.steps.end(), tile.begin(), tile.end());
    }
    out.first.push_back(out.steps.size());
    return out;
  }

  std::span<const ChainLoop> loops_;
  const int tiles_;
  const std::span<const int> in_order_;
  int largest_ = 0;            // elements of a loop
  std::vector<Stamps> stamps_; // of each set: the last tile that touches a row so far
  Extents extents_;
  LoopExtents extents_now_;                // of the loop that is being cut
  std::vector<bool> reached_;              // sets whose stamps mean something
  std::vector<std::vector<Piece>> pieces_; // of each loop
};

} // namespace

int costliest_set(std::span<const ChainLoop> loops, std::size_t sets) {
  std::vector<double> bytes(sets);
  for (const ChainLoop &loop : loops)
    for (const Reach &reach : loop.reaches)
      bytes[static_cast<std::size_t>(reach.set)] += loop.bytes / static_cast<double>(loop.reaches.size());
  return bytes.empty() ? -1 : static_cast<int>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

ChainTiles tile_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles,
                      std::span<const int> in_order) {
  return Tiling(loops, rows, tiles, in_order).all();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
