// Lists of blocks that add up in shared memory, made from a plan with colours of elements and from the maps.
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
  std::vector<int32_t> elements;    // by place: blocks one after the other, in each the elements by colour
  std::vector<uint16_t> colours;    // by place: that of the element
  std::vector<int32_t> rows_offset; // [blocks * groups + 1] into rows
  std::vector<int32_t> rows;        // that a block adds to, ascending
  std::vector<uint16_t> local;      // [columns][places]: number of the row among those of the block
  size_t shared_bytes = 0;          // that the largest block takes
  bool fits = true;                 // the numbers have 16 bits
};

// dim and size of a value for each group
struct GroupShape {
  int dim, type_size;
};
StageLists stage_lists(const op_exec_plan &plan, const ParamLayout &layout, const std::vector<GroupShape> &groups,
                       const std::vector<HostTable> &tables);

} // namespace op2::exec_cuda
