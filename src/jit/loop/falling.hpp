// Rows that receive increments in runs: whole vectors at once instead of row by row; see jit/prelude/falling.h.
#pragma once

#include <string>
#include <vector>

#include "jit/loop/loop_parts.hpp"

namespace op2::core::jit {

// One column through which the loop adds to the rows of a dat.
struct AddedColumn {
  int arg = 0, column = 0;
};

// The dats whose increments are made so in runs of that period, each by its first argument, and their columns in the
// order in which one element after the other would add.
struct FallingDat {
  int arg;
  std::vector<AddedColumn> columns;
};
std::vector<FallingDat> falling_dats(const LoopParts &parts, int period);
bool falls(const std::vector<FallingDat> &dats, const LoopParts &parts, int arg);

} // namespace op2::core::jit
