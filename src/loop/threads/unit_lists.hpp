// The lists of a chain on threads (lists.hpp) in units that run one after the other: so that only a part of the rows is
// needed at a time.
//
// Each list with a part of the rows has a share of its tiles in each unit, and waits for no other list. Then come a
// unit with the lists of borders, which wait for parts only, and one with the rest.
#pragma once

#include <span>
#include <vector>

#include "loop/threads/lists.hpp"

namespace op2::core {

class UnitLists {
 public:
  UnitLists(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
            const ChainParts &parts);

  int units() const { return units_; }
  int together() const { return units_ - 2; } // the first ones: such that follow each other may run as one
  // Elements that a unit runs: take(loop, begin, end), where segments with bits may run fewer of them.
  template <class Take>
  void each(int unit, const Take &take) const {
    for (const Piece &piece : of(unit))
      for (int s = piece.first; s < piece.last; ++s) {
        const op_exec_segment &segment =
            loops_[static_cast<std::size_t>(piece.loop)].segments[static_cast<std::size_t>(s)];
        take(piece.loop, segment.begin, segment.end);
      }
  }
  // Of units [first, last), which may run as one.
  ChainLists lists(int first, int last, int threads) const;

 private:
  struct Piece : TilePiece {
    int unit;
  };
  int rest() const { return 2 * parts_ - 1; }
  std::span<const Piece> of(int unit) const;
  int unit_of(int list, int tile) const;

  const int parts_, tiles_;
  int units_;
  std::vector<ListedLoop> loops_;
  std::vector<Piece> pieces_;      // by unit, list and tile
  std::vector<std::size_t> first_; // of each unit in pieces_
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
