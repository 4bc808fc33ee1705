// Deferred increments: a block of elements adds to its rows while the next one is computed, which is a form of its own.
//
// The increments of a block wait for its results, and processors do not look far enough ahead to begin the next block
// meanwhile. So each block leaves its results to the next one. Elements one after the other may also add to the same
// row: edges of a mesh in good order begin at the same node. Each would load what the one before has just stored, and
// wait for it. A sample of the maps finds the column that does so most often; its rows stay in registers as long as
// they are the same (jit/prelude/register_rows.h). The order of the increments does not change, and so no bit.
#pragma once

#include <span>
#include <vector>

#include "jit/loop/loop_parts.hpp"
#include "jit/loop/runs.hpp"

namespace op2::core::jit {

// The column in which most neighbours among elements 0 ... size-1 have the same entry, estimated from a sample; -1 = in
// none of them half do.
int steadiest_column(std::span<const MapColumn> columns, int size);

// Whether the vector form does so: of loops without runs that add few values, since what waits is copied once.
bool defers_increments(const LoopParts &parts, int period);

// The arguments of such a form whose rows are kept, each with the column of its own that is the steady one.
struct RegisterColumn {
  int arg = 0, column = 0;
};
std::vector<RegisterColumn> register_columns(const LoopParts &parts, int period);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
