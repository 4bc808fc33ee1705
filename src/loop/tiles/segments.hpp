// Cuts the loops of a chain into pieces so that piece n of a loop touches only rows that the pieces up to n of the
// loops before it have finished. Tile n is the union of piece n of every loop, one loop after the other, and its rows
// stay in cache. Where elements in order reach rows in order, borders.hpp finds the same tiles in less time:
// chain_schedule.cpp tries that first.
//
// Every row keeps the order in which loop after loop accesses it, so results have the bits of loop after loop. Method:
// skewed segments, and for loops whose elements lie scattered, sparse tiling (Strout, Luporini et al., SLOPE) with
// stamps that rise element by element.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loop/step.hpp"

namespace op2::core {

// The rows that elements of a loop reach in one way.
struct Reach {
  int set;                     // number of the stamps
  const int *column = nullptr; // entry of element 0; NULL: each element reaches the row with its own number
  int step = 0;                // entries from one element to the next
  bool adds = false;           // changes the row: other elements that change it keep their order
  bool reads = true;           // not only adds to it: needs what earlier loops have left there
  // Of elements in another order: what `column` is a copy of. NULL: `column` itself, and with `own` the elements'
  // numbers.
  const int *map = nullptr;
  bool own = false;
  int data = 0; // its number, where schedules tell the data of a set apart (threads/tasks.hpp)
  bool direct() const { return !column || own; } // no other element of the loop reaches the row in this way
};

// How often an element of a loop may run, where elements change rows through maps.
enum class ElementRuns : std::uint8_t {
  once,   // one list of work runs the element, and all that it changes is kept
  by_rows // each list that needs some of its rows runs the element; each run keeps other rows
};

struct ChainLoop {
  int size = 0;               // elements
  double bytes = 0;           // that it moves
  std::vector<Reach> reaches; // only of data that some loop of the chain changes
  std::span<const int> cuts;  // ascending, from 0 to size: where it may be cut; empty: anywhere
  ElementRuns runs_of_element = ElementRuns::once;
};

// What runs in which order: Do::run of elements of loops.
struct ChainTiles {
  std::vector<Step> steps;
  std::vector<std::size_t> first; // [tiles + 1]: where each tile begins in `steps`
  int tiles() const { return static_cast<int>(first.size()) - 1; }
};

// The set whose rows cost most: tiles begin as equal parts of it. -1: none is reached.
int costliest_set(std::span<const ChainLoop> loops, std::size_t sets);

// rows: the number of rows of each set that reaches name. tiles: how many are wanted; some may become empty and are
// left out. in_order: so many first rows of each set have a place in the mesh by their numbers; empty: all. The others
// go where the elements are that reach them.
ChainTiles tile_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int tiles,
                      std::span<const int> in_order = {});

} // namespace op2::core

// SPDX-License-Identifier: MIT
