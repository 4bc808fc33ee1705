// Verifies the steps that move chunks while a chain runs: whatever planned them, each row of dats and maps is in
// memory, with its value, when an element uses it. By the program's maps, and by nothing of how the chunks were found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "loop/loop.hpp"
#include "loop/unit_pages.hpp"

namespace op2::core {

// The steps of a chain whose elements run one after another.
struct PagedSteps {
  std::span<const Step> steps;
  std::span<const PageMoves> units; // with the pager's numbers of arrays
  std::span<const Chunks> start;    // in memory when the first step begins
};

// The first mistake that was found.
struct PagedRowFault {
  std::size_t loop = 0; // of the chain
  std::string text;     // "element 3 of set 'edges' in loop 'res' ...", with loop, argument, element and row
};

// pager: has the arrays of the loops' dats and maps. uses: so many uses of rows were looked at.
std::optional<PagedRowFault> find_fault(std::span<Loop *const> loops, const ChunkStore &pager,
                                        const PagedSteps &schedule, std::int64_t &uses);

// Throws OP_ERR_CHECK if there is one, and adds the number of its loop to `at`. chain: "chain 'heaps' ". Returns how
// many uses of rows were looked at.
std::int64_t verify_rows(std::span<Loop *const> loops, const ChunkStore &pager, const PagedSteps &schedule,
                         const std::string &chain, std::size_t &at);
inline constexpr const char *uses_verified = " uses of rows verified to be in memory"; // for the log

} // namespace op2::core

// SPDX-License-Identifier: MIT
