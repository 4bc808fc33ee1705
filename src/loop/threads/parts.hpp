// Deals the elements of a chain's loops out to lists, which threads run at the same time.
//
// Rows begin in parts, one for each thread. The list of a part has what needs rows of this part only. What needs rows
// on both sides of a border between two parts goes to the list of the border, which runs when both sides have come by,
// and takes its rows along: so with each loop borders grow by the bandwidth of the mesh. The rest goes to a last list.
//
// Every row keeps the order of loop after loop: whoever needs a row is in the list of those who had it before, or in
// one that runs later. Loops that add to rows through maps are dealt out by rows: a list runs all elements that change
// its rows, in ascending order, and an element that changes rows of several lists is run by each of them and changes
// only theirs (see plan/owner.hpp). If elements stayed whole, one that must wait would make all wait that come after it
// and share a row with it, and so on through the whole mesh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loop/tiles/segments.hpp"

namespace op2::core {

// The lists of one loop's elements.
struct LoopShares {
  static constexpr int several = -1;
  struct Run {
    int begin, end;
    int list;           // or `several`
    std::size_t owners; // several: where the lists of its rows begin in `owners`
  };
  std::vector<Run> runs; // ascending; together all elements
  // Of elements that several lists run: the list of the row that each column reaches, element by element. Columns: the
  // reaches through maps that change rows, in their order.
  std::vector<std::uint16_t> owners;
  // Elements that a list runs without having any of their rows, so that it has longer runs.
  struct Idle {
    int element, list;
  };
  std::vector<Idle> idle; // ascending
  // Of loops with cuts whose elements are dealt out by rows: the list that runs all elements of a block, so that they
  // reduce their values together. It changes rows as others do.
  std::vector<std::uint16_t> together;
};

struct ChainParts {
  int parts = 1;
  std::vector<LoopShares> loops;
  std::vector<double> work; // of each list, in bytes that its elements move

  // Part p, then the border between parts p and p + 1, then the rest.
  int lists() const { return 2 * parts; }
  int border(int part) const { return parts + part; }
  int rest() const { return 2 * parts - 1; }
  bool is_part(int list) const { return list < parts; }
  bool is_rest(int list) const { return list == rest(); }
  double all() const;     // work of all lists
  double longest() const; // work of the thread that has most, relative to an equal share
};

// rows: the number of rows of each set that reaches name. in_order: as in tile_chain().
ChainParts part_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int parts,
                      std::span<const int> in_order = {});
// How many of the first loops can be dealt out so that no thread has more than `most` times an equal share, by a guess
// that does not move parts: part_chain() tells how it is. Less than one loop: 0.
std::size_t first_even_loops(std::span<const ChainLoop> loops, std::span<const int> rows, int parts, double most,
                             std::span<const int> in_order = {});

} // namespace op2::core

// SPDX-License-Identifier: MIT
