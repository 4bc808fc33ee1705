#include "loop/threads/late.hpp"

#include <algorithm>

namespace op2::core {

namespace {

bool changes_through(const Reach &reach) { return reach.adds && !reach.direct(); }
bool dealt_by_rows(const ChainLoop &loop) { return loop.runs_of_element == ElementRuns::by_rows; }

std::size_t blocks_of(int count) { return static_cast<std::size_t>((count + extent_block - 1) / extent_block); }

} // namespace

LateRows::LateRows(std::span<const int> rows) {
  for (const int count : rows) {
    rows_.emplace_back(static_cast<std::size_t>(count));
    blocks_.emplace_back(blocks_of(count));
  }
}

void LateRows::mark(const Reach &reach, int e, char bit) {
  const auto set = static_cast<std::size_t>(reach.set), row = static_cast<std::size_t>(reached_row(reach, e));
  rows_[set][row] = static_cast<char>(rows_[set][row] | bit);
  blocks_[set][row / extent_block] = 1;
  touched_ = true;
}

bool LateRows::reaches_late(const ChainLoop &loop, const LoopExtents &extents, int block) const {
  for (std::size_t i = 0; touched_ && i < loop.reaches.size(); ++i) {
    const Extent extent = extents.at(i, block);
    const auto first = blocks_[static_cast<std::size_t>(loop.reaches[i].set)].begin();
    if (std::any_of(first + extent.first_block(), first + extent.last_block() + 1, [](char any) { return any != 0; }))
      return true;
  }
  return false;
}

bool LateRows::must_wait(const ChainLoop &loop, int e) const {
  return std::ranges::any_of(loop.reaches, [&](const Reach &reach) {
    if (reach.reads && (at(reach, e) & changed) != 0) return true;
    return reach.adds && !(dealt_by_rows(loop) && changes_through(reach)) && at(reach, e) != 0;
  });
}

// The elements between two cuts reduce together.
void LateRows::join_blocks(const ChainLoop &loop) {
  const char all = dealt_by_rows(loop) ? reduced : waiting;
  for (std::size_t c = 0; c + 1 < loop.cuts.size(); ++c) {
    const auto begin = of_.begin() + loop.cuts[c], end = of_.begin() + loop.cuts[c + 1];
    if (std::any_of(begin, end, [](char bits) { return (bits & waiting) != 0; }))
      std::for_each(begin, end, [all](char &bits) { bits = static_cast<char>(bits | all); });
  }
}

void LateRows::find(const ChainLoop &loop, const LoopExtents &extents, bool needs_copies) {
  const bool by_rows = dealt_by_rows(loop);
  // Elements that change common rows, each as a whole, keep their order: one that waits makes all later ones wait.
  const bool all = needs_copies || (touched_ && !by_rows && std::ranges::any_of(loop.reaches, changes_through));
  of_.assign(static_cast<std::size_t>(loop.size), all ? waiting : no);
  in_block_.assign(blocks_of(loop.size), 0);
  const auto each = [&](const auto &body) { // in blocks that may have late elements
    for (int b = 0; b * extent_block < loop.size; ++b)
      if (all || reaches_late(loop, extents, b))
        for (int e = b * extent_block; e < extents.end_of(b); ++e) body(e, of_[static_cast<std::size_t>(e)]);
  };
  if (!all) each([&](int e, char &of) { of = must_wait(loop, e) ? waiting : no; });
  join_blocks(loop);
  for (int e = 0; by_rows && e < loop.size; ++e)
    for (std::size_t i = 0; waits(e) && i < loop.reaches.size(); ++i)
      if (changes_through(loop.reaches[i])) mark(loop.reaches[i], e, changed);
  const auto changes_late = [&](int e) {
    return std::ranges::any_of(loop.reaches, [&](const Reach &r) { return changes_through(r) && late(r, e); });
  };
  each([&](int e, char &of) {
    if (of != 0 || (by_rows && changes_late(e))) of = static_cast<char>(of | runs);
  });
  for (int e = 0; e < loop.size; ++e)
    if (of_[static_cast<std::size_t>(e)] != 0) in_block_[static_cast<std::size_t>(e / extent_block)] = 1;
}

void LateRows::note(const ChainLoop &loop) {
  const auto each = [&](const auto &body) {
    for (int e = 0; e < loop.size; ++e)
      if (of_[static_cast<std::size_t>(e)] != 0)
        for (const Reach &reach : loop.reaches) body(reach, e);
  };
  const bool by_rows = dealt_by_rows(loop);
  each([&](const Reach &reach, int e) { // rows that were not late stay so
    if (by_rows && changes_through(reach) && late(reach, e)) mark(reach, e, changed);
  });
  each([&](const Reach &reach, int e) {
    if (reach.adds && !(by_rows && changes_through(reach))) mark(reach, e, changed);
    if (reach.reads) mark(reach, e, read);
  });
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
