// Grouped increments: rows that receive increments in runs are loaded and stored as whole vectors, once for all columns
// that lead near each other; a form of its own. See jit/prelude/grouped.h.
//
// The edges of a mesh in good order lead to rows n and n + 1, n and n + width, ...: rows of neighbouring elements
// overlap, in the same way in most runs. A sample of the maps finds that way, and the code is made for it; blocks of
// elements that lie otherwise add row by row.
#pragma once

#include <span>
#include <vector>

#include "jit/loop/loop_parts.hpp"
#include "jit/loop/runs.hpp"

namespace op2::core::jit {

// Columns through which a loop adds, by the numbers of the map and of the column in its shape.
struct NamedColumn {
  MapColumn entries;
  int map, column;
};
// How the columns lie to each other in most runs of that period among elements 0 ... size-1, estimated from a sample.
std::vector<ColumnPlace> column_places(std::span<const NamedColumn> columns, int period, int size);

// One column through which a loop adds to rows of a dat, in one of the sequences of a run.
struct GroupedColumn {
  int arg, column, phase;
  int offset; // of its first row behind the lowest one of the group
};
// A dat whose increments are made so: groups of columns near each other, in the order in which a row receives what
// they bring. The lowest columns of each group have offset 0.
struct GroupedDat {
  int arg; // the first one
  std::vector<std::vector<GroupedColumn>> groups;
};
std::vector<GroupedDat> grouped_dats(const LoopParts &parts, int lanes, int period);
bool is_grouped(const std::vector<GroupedDat> &dats, const LoopParts &parts, int arg);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
