// Lists of the increments for each row, made from the maps for loops whose increments are gathered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "code/code.hpp"
#include "launch/stage.hpp"

namespace op2::exec_cuda {

struct RowLists {
  std::vector<int32_t> rows;    // rows with increments, ascending
  std::vector<int32_t> offset;  // [rows + 1] into entries
  std::vector<int32_t> entries; // element * pointers + pointer, for each row in the order of its additions
};

// A pointer of one group: a column of a table, whose first row is of element `begin`; NULL: the element itself.
struct GatherColumn {
  const HostTable *table;
  int64_t column;
};

// For the elements begin <= n < end, in the order of op_exec_plan.added, or if that is empty in theirs. Throws
// OP_ERR_UNSUPPORTED if the numbers of entries exceed their type.
RowLists row_lists(int32_t begin, int32_t end, std::span<const int32_t> added, std::span<const GatherColumn> columns);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
