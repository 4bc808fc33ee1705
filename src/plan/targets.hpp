// targets.hpp: the targets of elements, in the form that the inspector uses.
//
// Every pair (group, target) that the range can reach has a slot, so that all groups share one array of marks, and two
// elements collide if and only if they have a common slot.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plan/plan.hpp"

namespace op2::core {

// Element n has the slots map[n * stride + j] + shift, j < count; without a map: n + shift. `map` is borrowed.
struct Access {
  const int *map = nullptr; // at the first column of the access
  std::ptrdiff_t stride = 0;
  int count = 1;
  std::ptrdiff_t shift = 0;
};

struct SlotTable {
  std::vector<Access> accesses;
  std::size_t slots = 0; // all slot numbers are below
};

// Slots of the elements [begin, end); none for groups without collisions. Throws OP_ERR_RANGE for a wrong target.
SlotTable find_slots(std::span<const ConflictGroup> groups, int begin, int end);

// The same for the elements of some ranges, one range after the other: element n of the table is the n-th of them.
struct GatheredSlots {
  std::vector<int> slot; // to which the table refers
  SlotTable table;
};
struct ElementRange {
  int begin, end;
};
GatheredSlots gather_slots(std::span<const ConflictGroup> groups, std::span<const ElementRange> ranges);

// Calls f(slot) for all slots of the elements [first, last) through one access.
template <class F>
inline void for_each_slot(const Access &access, int first, int last, F &&f) {
  if (access.map == nullptr) {
    for (std::ptrdiff_t n = first; n < last; ++n) f(static_cast<std::size_t>(n + access.shift));
    return;
  }
  const int *row = access.map + first * access.stride;
  for (int n = first; n < last; ++n, row += access.stride)
    for (int j = 0; j < access.count; ++j) f(static_cast<std::size_t>(row[j] + access.shift));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
