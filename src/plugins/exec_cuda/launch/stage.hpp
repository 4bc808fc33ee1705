// Lists for blocks that sum in shared memory, made from a plan with element colours and from the maps.
#pragma once

#include <cstdint>
#include <vector>

#include "code/code.hpp"

namespace op2::exec_cuda {

// A map on the host, from the first element of the plan on.
struct HostTable {
  std::vector<int> entries;
  int64_t columns = 0;
};

struct StageLists {
  std::vector<int32_t> elements;    // by place: block after block, in each the elements by colour
  std::vector<uint16_t> colours;    // by place: of the element
  std::vector<int32_t> rows_offset; // [blocks * groups + 1] into rows
  std::vector<int32_t> rows;        // rows that a block increments, ascending
  std::vector<uint16_t> local;      // [columns][places]: number of the row within the block
  size_t shared_bytes = 0;          // of the largest block
  bool fits = true;                 // the numbers fit into 16 bits
};

// dim and size of a value for each group
struct GroupShape {
  int dim, type_size;
};
StageLists stage_lists(const op_exec_plan &plan, const ParamLayout &layout, const std::vector<GroupShape> &groups,
                       const std::vector<HostTable> &tables);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
