#include "loop/layers/layers.hpp"

#include <algorithm>

#include "mesh/coherence.hpp"

namespace op2::core {

namespace {

// Levels of dats; those that are not there are at 0.
class Levels {
 public:
  int of(int dat) const {
    const auto found = std::ranges::find(all_, dat, &DatLevel::dat);
    return found == all_.end() ? 0 : found->level;
  }
  void set(int dat, int level) {
    const auto found = std::ranges::find(all_, dat, &DatLevel::dat);
    if (found == all_.end())
      all_.push_back({dat, level});
    else
      found->level = level;
  }
  void raise(int dat, int level) { set(dat, std::max(of(dat), level)); }
  void lower(int dat, int level) { set(dat, std::min(of(dat), level)); }
  const std::vector<DatLevel> &all() const { return all_; }

 private:
  std::vector<DatLevel> all_;
};

constexpr int reached_from(int level) { return 2 * (level / 2 + 1); }   // rows that elements of a level lead to
constexpr int leading_to(int level) { return 2 * layer_of(level) + 1; } // elements that lead to rows of a level
constexpr int complete_after(int level) {
  return level == 0 ? 0 : 2 * ((level - 1) / 2);
} // rows with all that lead there

int executed_for(const LayerLoop &loop, const Levels &needed) {
  int level = 0;
  for (const LayerArg &arg : loop.args)
    if (writes_new(arg.access))
      level = std::max(level, arg.through_map ? leading_to(needed.of(arg.dat)) : needed.of(arg.dat));
  return level;
}

// From what is needed behind the loop to what is needed before it. Rows beyond need not be right, they only grow more
// wrong: what is added to does not count as read.
void step_back(const LayerLoop &loop, int executed, Levels &needed) {
  for (const int dat : loop.rewritten) needed.set(dat, 0);
  for (const LayerArg &arg : loop.args)
    if (arg.access == OP_READ || arg.access == OP_RW)
      needed.raise(arg.dat, arg.through_map ? reached_from(executed) : executed);
}

void step_on(const LayerLoop &loop, int executed, Levels &current) {
  for (const int dat : loop.rewritten) current.set(dat, executed);
  for (const LayerArg &arg : loop.args)
    if (writes_new(arg.access)) current.lower(arg.dat, arg.through_map ? complete_after(executed) : executed);
}

} // namespace

bool fits_in_layers(const LayerLoop &loop) {
  return std::ranges::none_of(loop.args, [](const LayerArg &arg) { return arg.through_map && arg.access == OP_RW; });
}

LayerPlan plan_layers(std::span<const LayerLoop> loops) {
  LayerPlan out;
  out.executed.resize(loops.size());
  Levels needed;
  for (std::size_t l = loops.size(); l-- > 0;) {
    const int executed = out.executed[l] = executed_for(loops[l], needed);
    // An element that a layer only reads has its row of maps in the next one.
    out.depth = std::max(out.depth, layer_of(executed) + (loops[l].indirect && executed % 2 == 0 ? 1 : 0));
    step_back(loops[l], executed, needed);
  }
  for (const DatLevel &dat : needed.all())
    if (dat.level > 0) out.brought.push_back(dat);
  Levels current = needed;
  for (std::size_t l = 0; l < loops.size(); ++l) step_on(loops[l], out.executed[l], current);
  Levels written;
  for (const LayerLoop &loop : loops)
    for (const LayerArg &arg : loop.args)
      if (writes_new(arg.access)) written.set(arg.dat, current.of(arg.dat));
  out.left = written.all();
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
