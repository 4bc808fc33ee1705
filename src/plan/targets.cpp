#include "plan/targets.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace op2::core {
namespace {

// Targets [low, high).
struct Window {
  int low = 0, high = 0;
  bool empty() const { return low >= high; }
  void include(Window other) {
    if (other.empty()) return;
    *this = empty() ? other : Window{std::min(low, other.low), std::max(high, other.high)};
  }
};

Access access_of(const ColumnSet &set) {
  if (set.map == nullptr) return {};
  if (set.column < 0 || set.count < 0 || set.count > set.map_stride - set.column)
    fail(OP_ERR_INTERNAL, "plan: columns outside the map");
  return {set.map + set.column, set.map_stride, set.count, 0};
}

// The part of a dat the range can reach, so that a short range of a large mesh does not pay for all of its rows.
Window window_of(const ColumnSet &set, int begin, int end) {
  const Access access = access_of(set);
  Window window{begin, end};
  if (access.map != nullptr) {
    int low = set.rows, high = -1;
    const int *row = access.map + begin * access.stride;
    for (int n = begin; n < end; ++n, row += access.stride)
      for (int j = 0; j < access.count; ++j) {
        low = std::min(low, row[j]);
        high = std::max(high, row[j]);
      }
    if (high < 0 && low == set.rows) return {}; // no columns
    if (high >= set.rows)
      fail(OP_ERR_RANGE, "plan: a map holds ", high, " but its target set has ", set.rows, " rows here");
    window = {low, high + 1};
  }
  if (window.low < 0 || window.high > set.rows)
    fail(OP_ERR_RANGE, "plan: targets ", window.low, " to ", window.high - 1, " of a set of ", set.rows, " rows");
  return window;
}

Window window_of(std::span<const ColumnSet> columns, int begin, int end) {
  Window window;
  if (begin < end)
    for (const ColumnSet &set : columns) window.include(window_of(set, begin, end));
  return window;
}

// An element that reaches only itself meets nobody.
bool can_collide(const ConflictGroup &group) {
  return std::ranges::any_of(group.columns, [](const ColumnSet &set) { return set.map != nullptr; });
}

} // namespace

SlotTable find_slots(std::span<const ConflictGroup> groups, int begin, int end) {
  SlotTable table;
  for (const ConflictGroup &group : groups) {
    if (!can_collide(group)) continue;
    const Window window = window_of(group.columns, begin, end);
    if (window.empty()) continue;
    for (const ColumnSet &set : group.columns) {
      Access access = access_of(set);
      access.shift = static_cast<std::ptrdiff_t>(table.slots) - window.low;
      table.accesses.push_back(access);
    }
    table.slots += static_cast<std::size_t>(window.high - window.low);
  }
  return table;
}

GatheredSlots gather_slots(std::span<const ConflictGroup> groups, std::span<const ElementRange> ranges) {
  GatheredSlots out;
  std::vector<Access> accesses;
  for (const ConflictGroup &group : groups) {
    if (!can_collide(group)) continue;
    Window window;
    for (const ElementRange &range : ranges) window.include(window_of(group.columns, range.begin, range.end));
    for (const ColumnSet &set : group.columns) {
      accesses.push_back(access_of(set));
      accesses.back().shift = static_cast<std::ptrdiff_t>(out.table.slots) - window.low;
    }
    out.table.slots += static_cast<std::size_t>(window.high - window.low);
  }
  for (const ElementRange &range : ranges)
    for (int n = range.begin; n < range.end; ++n)
      for (const Access &access : accesses)
        for_each_slot(access, n, n + 1, [&](std::size_t slot) { out.slot.push_back(static_cast<int>(slot)); });
  int columns = 0;
  for (const Access &access : accesses) columns += access.count;
  if (columns > 0) out.table.accesses.push_back({out.slot.data(), columns, columns, 0});
  return out;
}

std::int64_t count_distinct_targets(std::span<const ColumnSet> columns, int begin, int end) {
  if (columns.size() == 1 && columns.front().map == nullptr) return std::max(0, end - begin);
  const Window window = window_of(columns, begin, end);
  if (window.empty()) return 0;
  std::vector<std::uint64_t> reached(static_cast<std::size_t>(window.high - window.low) / 64 + 1);
  for (const ColumnSet &set : columns) {
    Access access = access_of(set);
    access.shift = -static_cast<std::ptrdiff_t>(window.low);
    for_each_slot(access, begin, end, [&](std::size_t slot) { reached[slot / 64] |= std::uint64_t{1} << (slot % 64); });
  }
  std::int64_t count = 0;
  for (const std::uint64_t word : reached) count += std::popcount(word);
  return count;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
