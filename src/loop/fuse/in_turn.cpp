#include "loop/fuse/in_turn.hpp"

#include <algorithm>

namespace op2::core {

std::vector<ChainLoop> merged_loops(std::span<const ChainLoop> loops, std::span<const FusedGroup> groups) {
  std::vector<ChainLoop> out;
  for (const FusedGroup &group : groups) {
    ChainLoop &merged = out.emplace_back(loops[group.first]);
    for (std::size_t l = group.first + 1; l < group.last; ++l) {
      merged.bytes += loops[l].bytes;
      merged.reaches.insert(merged.reaches.end(), loops[l].reaches.begin(), loops[l].reaches.end());
      if (merged.cuts.empty()) merged.cuts = loops[l].cuts;
    }
  }
  return out;
}

ChainTiles in_turn(const ChainTiles &merged, std::span<const FusedGroup> groups, int elements) {
  ChainTiles out;
  std::size_t tile = 0;
  for (std::size_t s = 0; s < merged.steps.size(); ++s) {
    for (; merged.first[tile] == s; ++tile) out.first.push_back(out.steps.size());
    const ChainStep &step = merged.steps[s];
    const FusedGroup &group = groups[static_cast<std::size_t>(step.loop)];
    const int size = group.together() ? elements : step.end - step.begin;
    for (int begin = step.begin, end; begin < step.end; begin = end) {
      end = begin + std::min(size, step.end - begin);
      for (std::size_t l = group.first; l < group.last; ++l) out.steps.push_back({static_cast<int>(l), begin, end});
    }
  }
  out.first.resize(merged.first.size(), out.steps.size());
  return out;
}

} // namespace op2::core
