#include "loop/chain/segments.hpp"

#include <algorithm>
#include <cstdint>

namespace op2::core {

namespace {

using Stamp = std::uint16_t;
constexpr int most_tiles = 65535;
// Contiguous pieces are worth more than elements as early as they may be, unless these wait so many tiles on average.
constexpr double long_wait = 1.0;

class Tiling {
 public:
  Tiling(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles)
      : loops_(loops), tiles_(std::clamp(tiles, 1, most_tiles)), stamps_(rows.size()), pieces_(loops.size()) {
    for (std::size_t s = 0; s < rows.size(); ++s) stamps_[s].assign(static_cast<std::size_t>(rows[s]), 0);
    reached_.assign(rows.size(), false);
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
    std::vector<Stamp> &stamps = stamps_[static_cast<std::size_t>(set)];
    for (std::size_t r = 0; r < stamps.size(); ++r)
      stamps[r] = static_cast<Stamp>(r * static_cast<std::size_t>(tiles_) / stamps.size());
    reached_[static_cast<std::size_t>(set)] = true;
  }

  Stamp &stamp(const Reach &reach, int element) {
    const int row = reach.column ? reach.column[static_cast<std::ptrdiff_t>(element) * reach.step] : element;
    return stamps_[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(row)];
  }
  Stamp earliest(const ChainLoop &loop, int element) {
    Stamp out = 0;
    for (const Reach &reach : loop.reaches) out = std::max(out, stamp(reach, element));
    return out;
  }

  void add(std::size_t l) {
    const ChainLoop &loop = loops_[l];
    const bool known = std::any_of(loop.reaches.begin(), loop.reaches.end(),
                                   [&](const Reach &reach) { return reached_[static_cast<std::size_t>(reach.set)]; });
    if (!known) // nothing before it matters
      for (const Reach &reach : loop.reaches)
        if (!reach.column) spread(reach.set);
    double waits = 0;
    std::vector<Piece> pieces = contiguous(loop, waits);
    if (loop.cuts.empty() && waits > long_wait * loop.size) pieces = scattered(loop);
    for (const Piece &piece : pieces) mark(loop, piece);
    for (const Reach &reach : loop.reaches) reached_[static_cast<std::size_t>(reach.set)] = true;
    pieces_[l] = std::move(pieces);
  }

  std::vector<Piece> contiguous(const ChainLoop &loop, double &waits) {
    std::vector<Piece> out;
    int tile = 0, begin = 0;
    for (int e = 0; e < loop.size; ++e) {
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
        if (reach.adds) stamp(reach, e) = tile;
      if (out.empty() || out.back().tile != tile) out.push_back({tile, e, e});
      out.back().end = e + 1;
    }
    return out;
  }

  void mark(const ChainLoop &loop, const Piece &piece) {
    for (const Reach &reach : loop.reaches)
      for (int e = piece.begin; e < piece.end; ++e) {
        Stamp &at = stamp(reach, e);
        at = std::max(at, static_cast<Stamp>(piece.tile));
      }
  }

  ChainTiles in_order() const {
    std::vector<std::vector<ChainStep>> steps(static_cast<std::size_t>(tiles_));
    for (std::size_t l = 0; l < pieces_.size(); ++l)
      for (const Piece &piece : pieces_[l])
        steps[static_cast<std::size_t>(piece.tile)].push_back({static_cast<int>(l), piece.begin, piece.end});
    ChainTiles out;
    for (const std::vector<ChainStep> &tile : steps) {
      if (tile.empty()) continue;
      out.first.push_back(out.steps.size());
      out.steps.insert(out.steps.end(), tile.begin(), tile.end());
    }
    out.first.push_back(out.steps.size());
    return out;
  }

  std::span<const ChainLoop> loops_;
  const int tiles_;
  std::vector<std::vector<Stamp>> stamps_; // of each row: the last tile that touches it so far
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

ChainTiles tile_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles) {
  return Tiling(loops, rows, tiles).all();
}

} // namespace op2::core
