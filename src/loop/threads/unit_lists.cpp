#include "loop/threads/unit_lists.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace op2::core {

UnitLists::UnitLists(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
                     const ChainParts &parts)
    : parts_(parts.parts), tiles_(tiles.tiles()), units_((tiles_ + parts_ - 1) / parts_ + 2), loops_(loops.size()) {
  for (const TilePiece &piece : cut_tiles(loops, columns, tiles, parts, loops_))
    pieces_.push_back({piece, unit_of(piece.list, piece.tile)});
  std::ranges::stable_sort(pieces_, {}, [](const Piece &p) { return std::tuple(p.unit, p.list, p.tile); });
  for (int u = 0; u <= units_; ++u)
    first_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(pieces_, u, {}, &Piece::unit) - pieces_.begin()));
}

// Part p begins with its share of the tiles. What the rows of other parts bring into its list comes in order, too.
int UnitLists::unit_of(int list, int tile) const {
  if (list >= parts_) return list == rest() ? units_ - 1 : units_ - 2;
  return std::clamp(tile - static_cast<int>(static_cast<long long>(list) * tiles_ / parts_), 0, together() - 1);
}

std::span<const UnitLists::Piece> UnitLists::of(int unit) const {
  const std::size_t u = static_cast<std::size_t>(unit);
  return std::span(pieces_).subspan(first_[u], first_[u + 1] - first_[u]);
}

ChainLists UnitLists::lists(int first, int last, int threads) const {
  ChainLists out;
  for (const ListedLoop &loop : loops_) out.loops.push_back(loop.without_segments());
  std::vector<Piece> pieces;
  for (int u = first; u < last; ++u) pieces.insert(pieces.end(), of(u).begin(), of(u).end());
  std::ranges::stable_sort(pieces, {}, &Piece::list); // the units of a list stay in order
  int before = -1;
  for (const Piece &piece : pieces) {
    if (piece.list != std::exchange(before, piece.list)) {
      op_exec_chain_list list{};
      if (piece.list < rest()) list.thread = piece.list % parts_ * threads / parts_;
      list.first_step = static_cast<int>(out.steps.size());
      out.lists.push_back(list);
    }
    const ListedLoop &from = loops_[static_cast<std::size_t>(piece.loop)];
    ListedLoop &to = out.loops[static_cast<std::size_t>(piece.loop)];
    const int begin = static_cast<int>(to.segments.size());
    for (int s = piece.first; s < piece.last; ++s) to.add(from, from.segments[static_cast<std::size_t>(s)]);
    out.steps.push_back({piece.loop, begin, static_cast<int>(to.segments.size())});
    out.lists.back().last_step = static_cast<int>(out.steps.size());
  }
  for (ListedLoop &loop : out.loops) loop.number_blocks();
  return out;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
