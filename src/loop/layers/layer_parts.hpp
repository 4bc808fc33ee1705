// Several processes: the elements that a loop of a chain runs up to a level (loop/layers/layers.hpp), in parts.
#pragma once

#include <map>
#include <vector>

#include "distributed/halo/copy_order.hpp"
#include "loop/loop.hpp"

namespace op2::core {

// Rows of the set up to this level.
int rows_to(const Set &set, int level);

class LayerParts {
 public:
  LayerParts(Mesh &mesh, PlanCache &plans, bool reproducible)
      : mesh_(mesh), plans_(plans), reproducible_(reproducible) {}

  // first: its core may run while messages travel. Rows get their increments in the order in which their owner
  // adds them: equal bits on all processes that compute them. Collective.
  LoopLayers of(const Loop &loop, int level, bool first);
  void forget() { sources_.clear(); }

 private:
  const PlanCache::Sequence &sequence(const Set &set, int level, int end);
  std::vector<LoopPart> on_device(const Loop &loop, int level, bool first);
  std::span<const int> additions(const Set &set, int level, int end);
  std::vector<SequenceRun> by_owner(const Set &set, int end);
  std::vector<SequenceRun> by_number(const Set &set, int end) const;

  Mesh &mesh_;
  PlanCache &plans_;
  const bool reproducible_;
  std::map<const Set *, std::vector<CopiedFrom>> sources_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
