#include "launch/gather.hpp"

#include <algorithm>
#include <climits>

#include "driver.hpp"

namespace op2::exec_cuda {

RowLists row_lists(int32_t begin, int32_t end, std::span<const int32_t> added, std::span<const GatherColumn> columns) {
  const int64_t elements = end - begin, pointers = static_cast<int64_t>(columns.size());
  if (elements * pointers > INT_MAX)
    throw Failure(OP_ERR_UNSUPPORTED, std::to_string(elements) + " elements with " + std::to_string(pointers) +
                                          " increments each are too many for OP2_RACE=gather; colour does them");
  const auto target = [&](int64_t element, const GatherColumn &to) {
    if (!to.table) return begin + static_cast<int32_t>(element);
    return to.table->entries[static_cast<size_t>(element * to.table->columns + to.column)];
  };
  int32_t most = -1;
  for (const GatherColumn &to : columns)
    for (int64_t element = 0; element < elements; ++element) most = std::max(most, target(element, to));
  std::vector<int32_t> next(static_cast<size_t>(most) + 2, 0); // by row: first how many, then where the next entry goes
  for (const GatherColumn &to : columns)
    for (int64_t element = 0; element < elements; ++element) ++next[static_cast<size_t>(target(element, to)) + 1];
  RowLists out;
  out.offset.push_back(0);
  for (int32_t row = 0; row <= most; ++row) {
    const size_t behind = static_cast<size_t>(row) + 1;
    const bool reached = next[behind] > 0;
    next[behind] += next[behind - 1];
    if (!reached) continue;
    out.rows.push_back(row);
    out.offset.push_back(next[behind]);
  }
  out.entries.resize(static_cast<size_t>(elements * pointers));
  const auto add = [&](int64_t element) {
    for (int64_t pointer = 0; pointer < pointers; ++pointer) {
      const size_t row = static_cast<size_t>(target(element, columns[static_cast<size_t>(pointer)]));
      out.entries[static_cast<size_t>(next[row]++)] = static_cast<int32_t>(element * pointers + pointer);
    }
  };
  const int32_t range[] = {begin, end};
  const std::span<const int32_t> runs = added.empty() ? std::span(range) : added;
  for (size_t run = 0; run < runs.size(); run += 2)
    for (int32_t n = runs[run]; n < runs[run + 1]; ++n) add(n - begin);
  return out;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
