#include "loop/threads/phases.hpp"

#include <algorithm>
#include <utility>

namespace op2::core {

namespace {

constexpr std::size_t steps_back = 8; // a phase that is too long gets shorter by this part, at least by a loop

} // namespace

std::vector<ChainPhase> phase_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int parts, double most,
                                    std::span<const int> in_order, const std::function<bool()> &stop) {
  std::vector<ChainPhase> out;
  for (std::size_t first = 0; first < loops.size(); first = out.back().last) {
    const std::span<const ChainLoop> left = loops.subspan(first);
    std::size_t count = std::max<std::size_t>(first_even_loops(left, rows, parts, most, in_order), 1);
    ChainParts dealt = part_chain(left.first(count), rows, parts, in_order);
    while (count > 1 && dealt.longest() > most) {
      if (stop && stop()) return {};
      count -= std::max<std::size_t>(count / steps_back, 1);
      dealt = part_chain(left.first(count), rows, parts, in_order);
    }
    out.push_back({first, first + count, std::move(dealt)});
    if (stop && out.back().last < loops.size() && stop()) return {};
  }
  return out;
}

double longest_of(std::span<const ChainPhase> phases) {
  double all = 0, longest = 0;
  for (const ChainPhase &phase : phases) {
    all += phase.parts.all();
    longest += phase.parts.all() * phase.parts.longest();
  }
  return all > 0 ? longest / all : 1;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
