// The schedule of a chain on threads: the tiles of a chain (segments.hpp), with the elements of each tile dealt out to
// lists (parts.hpp), which threads run at the same time. Whatever the tiles and the lists, results are those of loop
// after loop: a list runs its elements in the order of the tiles, and waits for lists whose rows it takes over.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "loop/chain/parts.hpp"
#include "op2/plugin/exec.h"
#include "plan/plan.hpp"

namespace op2::core {

// The columns through which a loop changes rows, in groups as in op_exec_plan; none if its elements stay whole.
struct ChainColumns {
  std::vector<int> group_offset = {0}, map, column;
  std::vector<int> reach; // of each column: its number among the reaches of the loop
  // The element at each place, if loops are described in the order in which their elements run; empty: places are
  // numbers of elements. Blocks have elements that follow each other.
  std::span<const int> order = {};
};

struct ChainLists {
  std::vector<OwnerLists> loops; // segments and local tables of each loop. part_offset is empty
  std::vector<std::vector<std::uint16_t>>
      short_local; // of each loop: `local` in half the memory; empty: it stands there
  int slot(std::size_t loop, std::int64_t at) const {
    const auto place = static_cast<std::size_t>(at);
    return short_local[loop].empty() ? loops[loop].local[place] : short_local[loop][place];
  }
  // Of each loop, tables in short: pairs (first row, rows), at which slot_offset points; empty: they stand there in
  // full.
  std::vector<std::vector<int>> runs;
  std::size_t slots(std::size_t loop) const { return loops[loop].local.size() + short_local[loop].size(); }
  std::vector<op_exec_chain_step> steps;
  std::vector<int> tile; // of each step
  std::vector<op_exec_chain_wait> waits;
  std::vector<op_exec_chain_list> lists; // without those that are empty
  double longest = 1;                    // work of the thread that has most, relative to an equal share
};

double bytes_of(const ChainLists &lists); // that it takes

// Loops whose tables have rows in few runs keep these alone: what slot a row has can be found by its number.
void shorten_tables(ChainLists &lists);

// columns: of each loop. Loops with Whole::always and cuts get a segment for each block.
ChainLists list_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
                      const ChainParts &parts);

} // namespace op2::core
