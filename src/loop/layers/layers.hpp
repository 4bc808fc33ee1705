// Several processes: how far into the copies of other processes' rows (mesh/halo.hpp) each loop of a chain must run so
// that one exchange before all of them is enough. A pure function of what the loops access.
//
// A *level* is how many of the rows of a set count, in their order: 0 = the owned ones, 2 k - 1 = up to the copies that
// layer k executes, 2 k = up to the last copy of layer k. What an element of level 2 k - 1 reaches is within level 2 k,
// and all elements that reach a row of level 2 k are within level 2 k + 1.
#pragma once

#include <span>
#include <vector>

#include "op2/types.h"

namespace op2::core {

struct LayerArg {
  int dat; // any numbers from 0 on
  bool through_map;
  op_access access;
};

struct LayerLoop {
  std::vector<LayerArg> args;
  bool indirect = false;      // has rows of maps at all, also for arguments without a dat
  std::vector<int> rewritten; // dats whose old rows do not matter: written directly, and nothing else
};

struct DatLevel {
  int dat, level;
  friend bool operator==(const DatLevel &, const DatLevel &) = default;
};

struct LayerPlan {
  std::vector<int> executed;     // of each loop: the level of the elements it runs
  std::vector<DatLevel> brought; // by the exchange: dats whose copies must be current up to this level
  std::vector<DatLevel> left;    // afterwards the copies of dats that the loops change are current up to this level
  int depth = 0;                 // layers of copies that must be there
};

constexpr int layer_of(int level) { return (level + 1) / 2; }

// Why the loops cannot run so: only OP_RW through a map, where an element reads what others of the loop change.
bool fits_in_layers(const LayerLoop &loop);
// All loops fit.
LayerPlan plan_layers(std::span<const LayerLoop> loops);

} // namespace op2::core

// SPDX-License-Identifier: MIT
