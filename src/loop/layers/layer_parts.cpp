#include "loop/layers/layer_parts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "loop/layers/layers.hpp"

namespace op2::core {

int rows_to(const Set &set, int level) {
  if (level == 0) return set.size;
  const HaloLayer &layer = set.layers[static_cast<std::size_t>(layer_of(level)) - 1];
  const HaloRange &last = level % 2 != 0 ? layer.exec.imported : layer.nonexec.imported;
  return last.first + last.size();
}

LoopLayers LayerParts::of(const Loop &loop, int level, bool first) {
  const LoopSignature &what = loop.signature();
  const Set &set = what.set;
  LoopLayers out;
  out.last = std::max(rows_to(set, level), set.executed());
  const int end = rows_to(set, level);
  if (!mesh_.executor().takes_parts() && !loop.reduces()) {
    out.parts = on_device(loop, level, first);
    return out;
  }
  if (level == (what.conflicts ? 1 : 0)) return out; // goes so far by itself
  if (what.conflicts) {
    if (loop.reduces()) fail(OP_ERR_INTERNAL, "a loop of a chain that reduces and writes through maps goes too far");
    const PlanCache::Sequence *const order = &sequence(set, level, end);
    if (reproducible_)
      out.parts = {{0, end, true, order, level}};
    else
      out.parts = {{0, set.core_size}, {set.core_size, end, true, order, level}};
    return out;
  }
  if (loop.reduces())
    out.parts.assign(loop.parts().begin(), loop.parts().end()), out.parts.push_back({set.size, end, false});
  else if (const int core = what.indirect ? set.core_size : set.size; first && core > 0)
    out.parts = {{0, core}, {core, end}};
  else
    out.parts = {{0, end}};
  return out;
}

// Few launches: the executor may keep an order of increments without more of them. Processes with other executors have
// sources_, too.
std::vector<LoopPart> LayerParts::on_device(const Loop &loop, int level, bool first) {
  const LoopSignature &what = loop.signature();
  const Set &set = what.set;
  const int core = what.indirect ? set.core_size : set.size, end = rows_to(set, level);
  std::span<const int> added;
  if (what.conflicts && level == 1) added = Loop::additions(plans_, set, mesh_.communicator().rank());
  if (what.conflicts && level > 1) added = additions(set, level, end);
  if (!first || core == 0 || core == end) return {{0, end, true, nullptr, level, added}};
  return {{0, core}, {core, end, true, nullptr, level, added.empty() ? added : added.subspan(2)}};
}

std::span<const int> LayerParts::additions(const Set &set, int level, int end) {
  if (!sources_.contains(&set)) sources_.emplace(&set, copied_from(mesh_, set));
  return plans_.additions(sequence_number(set.index, level), [&] {
    std::vector<SequenceRun> out = {{0, set.core_size, true}};
    for (const SequenceRun &run : by_owner(set, end)) out.push_back(run);
    return out;
  });
}

const PlanCache::Sequence &LayerParts::sequence(const Set &set, int level, int end) {
  if (!reproducible_ && !sources_.contains(&set)) sources_.emplace(&set, copied_from(mesh_, set));
  return plans_.sequence(sequence_number(set.index, level),
                         [&] { return reproducible_ ? by_number(set, end) : by_owner(set, end); });
}

// Behind the core: copies of other processes' core elements, which lead to rows of their owners only; then all others
// by their owners, this process's among them.
std::vector<SequenceRun> LayerParts::by_owner(const Set &set, int end) {
  const std::vector<CopiedFrom> &sources = sources_.at(&set);
  const int rank = mesh_.communicator().rank();
  const auto place = [&](int n) {
    if (n < set.size) return std::tuple(1, rank, n);
    const CopiedFrom &from = sources[static_cast<std::size_t>(n - set.size)];
    return std::tuple(from.core ? 0 : 1, from.owner, from.row);
  };
  std::vector<int> order(static_cast<std::size_t>(end - set.core_size));
  std::iota(order.begin(), order.end(), set.core_size);
  std::ranges::sort(order, {}, place);
  std::vector<SequenceRun> out;
  for (const int n : order) {
    const bool own = n < set.size;
    if (!out.empty() && out.back().end == n && out.back().own == own)
      ++out.back().end;
    else
      out.push_back({n, n + 1, own});
  }
  return out;
}

std::vector<SequenceRun> LayerParts::by_number(const Set &set, int end) const {
  const std::vector<std::int64_t> numbers(set.global.begin(), set.global.begin() + end);
  return sequence_of(numbers, set.size, end);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
