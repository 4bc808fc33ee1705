// When chunks of arrays come into memory and leave it while a chain runs, so that no more than a limit is there at any
// time. The chain is cut into units, of which the chunks are known: they must be in memory while the unit runs.
//
// The future is known, so that chunk leaves which is needed last (Belady). While a unit runs, chunks of the next units
// are read, and others are written to make room for those after them. After the last unit the chain is expected again:
// the last units bring chunks of the first ones. By Belady's rule alone other chunks would stay from each run to the
// next; here the same ones stay, so that one plan serves all runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loop/unit_pages.hpp"

namespace op2::core {

// Chunks that a unit touches.
struct ChunkUse {
  Chunks chunks;
  bool writes = false;
};

// An array as the chain uses it.
struct PagedArrayUse {
  std::int64_t chunks = 0;
  bool written_first = false; // all of it, before anything of it is read: earlier values need not be read
  bool scratch = false;       // nobody needs its values after the chain: they need not be written
};

using UnitUses = std::vector<ChunkUse>; // each chunk once

struct PagePlan {
  std::vector<PageMoves> units;
  std::vector<Chunks> start;           // in memory when the chain begins
  std::int64_t loaded = 0, stored = 0; // chunks, in one run
  std::int64_t most = 0;               // chunks in memory at a time, also those on their way
};

struct PageTimes {
  int ahead = 2;  // units whose chunks are read before they are needed
  int behind = 0; // units that run while what was written leaves memory, besides the first one
};

// limit: chunks. Without units if one of them needs more chunks than the limit.
PagePlan plan_pages(std::span<const PagedArrayUse> arrays, std::span<const UnitUses> units, std::int64_t limit,
                    PageTimes times = {});

// The first chunk that a unit touches and that the plan has not brought, or the first step with which more than `limit`
// chunks are in memory: "unit 3 touches chunk 17 of array 0, ..."; "" = the plan is right.
std::string plan_fault(const PagePlan &plan, std::span<const PagedArrayUse> arrays, std::span<const UnitUses> units,
                       std::int64_t limit);

} // namespace op2::core
// SPDX-License-Identifier: MIT
