#include "loop/verify/timeline.hpp"

#include <algorithm>

namespace op2::core {

namespace {

using Fault = ScheduleFault;

} // namespace

Timeline::Timeline(const AccessedChain &chain, const ChainTiles &tiles) : chain_(chain) {
  begin_list();
  for (int s = 0; s < static_cast<int>(tiles.steps.size()); ++s) {
    const Step &step = tiles.steps[static_cast<std::size_t>(s)];
    add(step.loop, s, {step.begin, step.end, -1, -1});
  }
  done_.assign(1, {0});
  arrange();
}

Timeline::Timeline(const AccessedChain &chain, const ChainLists &lists) : chain_(chain), schedule_(&lists) {
  for (const op_exec_chain_list &list : lists.lists) {
    begin_list();
    for (int s = list.first_step; s < list.last_step; ++s) {
      const op_exec_chain_step &step = lists.steps[static_cast<std::size_t>(s)];
      for (int k = step.first; k < step.last; ++k)
        add(step.loop, s - list.first_step,
            lists.loops[static_cast<std::size_t>(step.loop)].segments[static_cast<std::size_t>(k)]);
    }
  }
  need_waits();
  arrange();
  if (!fault_) need_bits();
}

void Timeline::begin_list() {
  steps_.emplace_back();
  ends_.push_back(0);
}

void Timeline::add(int loop, int step, const op_exec_segment &segment) {
  if (segment.begin >= segment.end) return;
  const int list = lists() - 1;
  steps_.back().push_back({loop, segment, list, step, ends_.back()});
  ends_.back() += segment.end - segment.begin;
}

// Waits are for lists that come before, so that no two wait for each other; and what those waited for is done, too.
void Timeline::need_waits() {
  const ChainLists &all = *schedule_;
  for (std::size_t k = 0; k < all.lists.size(); ++k) {
    done_.emplace_back(all.lists.size(), 0);
    for (int w = all.lists[k].first_wait; w < all.lists[k].last_wait; ++w) {
      const op_exec_chain_wait &wait = all.waits[static_cast<std::size_t>(w)];
      const bool earlier = wait.list >= 0 && wait.list < static_cast<int>(k);
      const auto other = static_cast<std::size_t>(earlier ? wait.list : 0);
      const int steps = all.lists[other].last_step - all.lists[other].first_step; // 0: copies that are to come
      if (!earlier || wait.steps < std::min(steps, 1) || wait.steps > steps) {
        fault_ = Fault{Fault::Kind::wait, -1, -1, {-1, -1, static_cast<int>(k), -1}, {-1, -1, wait.list, wait.steps}};
        return;
      }
      const auto next = std::ranges::find_if(steps_[other], [&](const Piece &p) { return p.step >= wait.steps; });
      const std::int64_t until = next == steps_[other].end() ? ends_[other] : next->at;
      done_[k][other] = std::max(done_[k][other], until);
      for (std::size_t i = 0; i < k; ++i) done_[k][i] = std::max(done_[k][i], done_[other][i]);
    }
  }
}

void Timeline::arrange() {
  pieces_.resize(chain_.loops.size());
  for (const std::vector<Piece> &list : steps_)
    for (const Piece &piece : list) pieces_[static_cast<std::size_t>(piece.loop)].push_back(piece);
  for (std::vector<Piece> &pieces : pieces_) std::ranges::stable_sort(pieces, {}, &Piece::begin);
  if (!fault_) need_blocks();
}

// Partial results are those of blocks.
void Timeline::need_blocks() {
  for (std::size_t l = 0; l < pieces_.size(); ++l) {
    const std::span<const int> blocks = chain_.loops[l].blocks;
    if (blocks.empty()) continue;
    std::vector<char> run(blocks.size());
    for (const Piece &piece : pieces_[l]) {
      const auto b = static_cast<std::size_t>(std::max(piece.segment.block, 0));
      bool right = std::ranges::binary_search(blocks, piece.begin()) && std::ranges::binary_search(blocks, piece.end());
      if (schedule_ && piece.segment.block >= 0)
        right = b + 1 < blocks.size() && piece.begin() == blocks[b] && piece.end() == blocks[b + 1] && !run[b];
      else if (schedule_)
        right = true; // another list reduces its values
      if (piece.segment.block >= 0 && b < run.size()) run[b] = 1;
      if (!right) {
        fault_ = Fault{Fault::Kind::block, -1, -1, {static_cast<int>(l), piece.begin(), piece.list, piece.step}, {}};
        return;
      }
    }
  }
}

// Segments that share elements have bits for all of them, and blocks run as a whole.
void Timeline::need_bits() {
  for (std::size_t l = 0; l < pieces_.size(); ++l) {
    const ListedLoop &listed = schedule_->loops[l];
    for (const Piece &piece : pieces_[l]) {
      const op_exec_segment &segment = piece.segment;
      if (segment.staged == -1) continue;
      const std::int64_t bits = std::int64_t{segment.end - segment.begin} * listed.bits(segment);
      const bool there = listed.word(segment) + (bits + 31) / 32 <= std::ssize(listed.own);
      if (there && (segment.block < 0 || listed.elements(segment) == segment.end - segment.begin)) continue;
      fault_ = Fault{there ? Fault::Kind::block : Fault::Kind::table,
                     -1,
                     -1,
                     {static_cast<int>(l), piece.begin(), piece.list, piece.step},
                     {}};
      return;
    }
  }
}

void Timeline::for_each_element(int loop, const std::function<void(int, std::span<const Run>)> &body) const {
  const std::vector<Piece> &pieces = pieces_[static_cast<std::size_t>(loop)];
  const bool reduces = !chain_.loops[static_cast<std::size_t>(loop)].blocks.empty();
  std::vector<const Piece *> open;
  std::vector<Run> runs;
  std::size_t next = 0;
  for (int e = 0; e < chain_.loops[static_cast<std::size_t>(loop)].size; ++e) {
    std::erase_if(open, [e](const Piece *piece) { return piece->end() <= e; });
    for (; next < pieces.size() && pieces[next].begin() <= e; ++next)
      if (pieces[next].end() > e) open.push_back(&pieces[next]);
    runs.clear();
    for (const Piece *piece : open) {
      const int place = e - piece->begin();
      if (piece->segment.staged != -1 && !schedule_->loops[static_cast<std::size_t>(loop)].runs(piece->segment, place))
        continue;
      runs.push_back(
          {{piece->list, piece->at + place}, piece->segment, !schedule_ || !reduces || piece->segment.block >= 0});
    }
    body(e, runs);
  }
}

const Timeline::Piece &Timeline::piece_of(const Moment &moment) const {
  const std::vector<Piece> &list = steps_[static_cast<std::size_t>(moment.list)];
  return *(std::ranges::upper_bound(list, moment.at, {}, &Piece::at) - 1);
}

int Timeline::step_of(const Moment &moment) const { return piece_of(moment).step; }

Timeline::Origin Timeline::origin(const Moment &moment) const {
  const Piece &piece = piece_of(moment);
  return {piece.loop, piece.begin() + static_cast<int>(moment.at - piece.at)};
}

// As the plan has it: a dat goes with the first group that has all columns through which the loop changes it. What an
// element changes of its own goes with the first column.
int Timeline::local_column(int loop, const RowAccess &access) const {
  const ListedLoop &listed = schedule_->loops[static_cast<std::size_t>(loop)];
  if (!access.column) return 0;
  const auto find = [&](std::size_t group, const RowAccess &wanted) {
    for (int c = listed.group_offset[group]; c < listed.group_offset[group + 1]; ++c)
      if (listed.column_map[static_cast<std::size_t>(c)] == wanted.map &&
          listed.column[static_cast<std::size_t>(c)] == wanted.number)
        return c;
    return -1;
  };
  for (std::size_t g = 0; g + 1 < listed.group_offset.size(); ++g) {
    bool all = true;
    for (const RowAccess &other : chain_.loops[static_cast<std::size_t>(loop)].accesses)
      if (other.dat == access.dat && other.access != OP_READ) all = all && find(g, other) >= 0;
    if (all) return find(g, access);
  }
  return -1;
}

Kept Timeline::keeps(int loop, const Run &run, int element, const RowAccess &access) const {
  if (run.segment.staged == -1) return Kept::yes;
  const ListedLoop &listed = schedule_->loops[static_cast<std::size_t>(loop)];
  if (listed.columns() == 0) return Kept::yes;
  const int column = local_column(loop, access);
  if (column < 0) return Kept::wrong;
  return listed.owns(run.segment, element - run.segment.begin, column) ? Kept::yes : Kept::no;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
