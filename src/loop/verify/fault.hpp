// Verifies the schedule of a chain by what its loops do with rows, and by nothing else: whatever made the pieces, each
// element runs once, and each row is read and changed in the order of loop after loop.
//
// Promised is what gives rows the bits of loop after loop: accesses of different loops to a row, one of which changes
// it, come in the order of the loops, and changes of a row by one loop in the order of the elements. What elements of a
// loop read of rows that others of the same loop change is up to the order of elements, which no loop may need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/threads/lists.hpp"
#include "loop/tiles/segments.hpp"
#include "op2/types.h"

namespace op2::core {

// What a loop does with rows of a dat in one way.
struct RowAccess {
  int dat; // number
  op_access access;
  const int *column = nullptr; // entry of element 0 in a map; NULL: the row with the element's own number
  int step = 0;                // entries from one element to the next
  int map = -1, number = 0;    // of the map and of its column, as plans name them
};

struct AccessedLoop {
  int size = 0; // elements
  std::vector<RowAccess> accesses;
  std::span<const int> blocks; // of a loop that reduces: borders of the blocks that run as a whole; else empty
};

struct AccessedChain {
  std::vector<int> rows; // of each dat
  std::vector<AccessedLoop> loops;
};

// The first mistake that was found.
struct ScheduleFault {
  enum class Kind : std::uint8_t {
    order, // `later` may come before `earlier`
    left,  // the element of `earlier` is never run, or nobody keeps what it makes of the row
    again, // it is run, or its row kept, by `earlier` and by `later`
    table, // nothing says which of the rows that `earlier` changes are its list's own
    block, // the piece of `earlier` is not made of whole blocks
    wait   // the list of `earlier` waits for one that does not come before it, or for more than that does
  };
  struct Place {
    int loop = -1, element = -1;
    int list = 0, step = -1; // -1: nowhere
    op_access access = OP_READ;
  };
  Kind kind;
  int dat = -1, row = -1; // -1: it is about no row
  Place earlier, later;   // as loop after loop has them
};

// One thread runs all tiles.
std::optional<ScheduleFault> find_fault(const AccessedChain &chain, const ChainTiles &tiles);
// Lists run at the same time as far as they do not wait for each other.
std::optional<ScheduleFault> find_fault(const AccessedChain &chain, const ChainLists &lists);

} // namespace op2::core

// SPDX-License-Identifier: MIT
