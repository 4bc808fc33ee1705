#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "plan/adapt/adapt.hpp"
#include "plan/owner_cut.hpp"
#include "plan/targets.hpp"

namespace op2::core {

using namespace owner_plan;

namespace {

// A piece of the new lists. table: that of the old lists it keeps; -1: it needs a new one if it is staged.
struct Next : Piece {
  int table = -1;
};

Piece piece_of(const op_exec_segment &segment) {
  return {segment.begin, segment.end, segment.block, segment.staged >= 0};
}

class Change {
 public:
  Change(OwnerLists &lists, const PlanRequest &request, std::span<const int> block_offset)
      : lists_(lists),
        request_(request),
        block_offset_(block_offset),
        columns_(columns_of(request)),
        owners_(columns_, lists.part_of_grain),
        at_(lists.part_offset.size()) {}

  void make(std::span<const int> elements) {
    find_windows(elements);
    if (windows_.empty()) return;
    Cut fresh(owners_, parts());
    for (const ElementRange &window : windows_)
      if (in_blocks())
        fresh.cut_blocks(blocks_from(window), static_cast<int>(blocks_from(window).data() - block_offset_.data()));
      else
        fresh.cut_elements(window.begin, window.end);
    fresh.join();
    OwnerLists next;
    next.part_offset = {0};
    next.slot_offset = {0};
    for (int part = 0; part < parts(); ++part)
      write(next, merged(rest_of(part), fresh.pieces()[static_cast<std::size_t>(part)]), part);
    next.group_offset = std::move(lists_.group_offset);
    next.column_map = std::move(lists_.column_map);
    next.column = std::move(lists_.column);
    next.part_of_grain = std::move(lists_.part_of_grain);
    lists_ = std::move(next);
  }

 private:
  int parts() const { return static_cast<int>(lists_.part_offset.size()) - 1; }
  bool in_blocks() const { return request_.kind == OP_PLAN_OWNER_BLOCKS; }
  std::span<const op_exec_segment> segments_of(int part) const {
    const auto p = static_cast<std::size_t>(part);
    return std::span(lists_.segments)
        .subspan(static_cast<std::size_t>(lists_.part_offset[p]),
                 static_cast<std::size_t>(lists_.part_offset[p + 1] - lists_.part_offset[p]));
  }
  // Borders of the blocks that a window consists of.
  std::span<const int> blocks_from(const ElementRange &window) const {
    const auto first = std::ranges::lower_bound(block_offset_, window.begin);
    const auto last = std::lower_bound(first, block_offset_.end(), window.end);
    return {first, last + 1};
  }

  // The element still writes rows of the one part that runs it in place, and no others. Asked for ascending elements.
  bool stays(int n) {
    const int part = owners_.of(0, n);
    if (owners_.end_of_run(part, n, n + 1) == n) return false;
    const std::span<const op_exec_segment> segments = segments_of(part);
    std::size_t &at = at_[static_cast<std::size_t>(part)];
    while (at < segments.size() && segments[at].end <= n) ++at;
    // A part that runs an element in place owned all of its rows. Where blocks run whole, others may still run it.
    return at < segments.size() && segments[at].begin <= n && segments[at].staged < 0 &&
           (segments[at].block >= 0) == in_blocks();
  }

  // What is cut again: changed elements, or their blocks.
  void find_windows(std::span<const int> elements) {
    for (const int n : elements) {
      if ((!windows_.empty() && n < windows_.back().end) || stays(n)) continue;
      ElementRange window{n, n + 1};
      if (in_blocks()) {
        const auto behind = std::ranges::upper_bound(block_offset_, n);
        window = {*(behind - 1), *behind};
      }
      if (!windows_.empty() && windows_.back().end == window.begin)
        windows_.back().end = window.end;
      else
        windows_.push_back(window);
    }
  }

  // The old pieces of a part without the windows.
  std::vector<Next> rest_of(int part) const {
    std::vector<Next> rest;
    auto window = windows_.begin();
    for (const op_exec_segment &segment : segments_of(part)) {
      while (window != windows_.end() && window->end <= segment.begin) ++window;
      Next left{piece_of(segment), segment.staged};
      for (auto hole = window; hole != windows_.end() && hole->begin < segment.end; ++hole) {
        if (left.begin < hole->begin) {
          Next before = left;
          before.end = hole->begin;
          before.table = -1;
          rest.push_back(before);
        }
        left.begin = hole->end;
        left.table = -1;
      }
      if (left.begin < left.end) rest.push_back(left);
    }
    return rest;
  }

  static std::vector<Next> merged(const std::vector<Next> &rest, const std::vector<Piece> &fresh) {
    std::vector<Next> all, out;
    for (const Piece &piece : fresh) all.push_back({piece});
    const std::size_t middle = all.size();
    all.insert(all.end(), rest.begin(), rest.end());
    std::inplace_merge(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(middle), all.end(),
                       [](const Next &a, const Next &b) { return a.begin < b.begin; });
    for (const Next &piece : all) {
      if (!out.empty() && joins(out.back(), piece))
        out.back().end = piece.end;
      else
        out.push_back(piece);
    }
    return out;
  }
  static bool joins(const Next &last, const Next &piece) {
    if (last.end != piece.begin || last.block >= 0 || piece.block >= 0 || last.staged != piece.staged) return false;
    if (!last.staged) return true;
    return last.table < 0 && piece.table < 0 && last.elements() + piece.elements() <= longest_staged;
  }

  void write(OwnerLists &next, const std::vector<Next> &pieces, int part) const {
    for (const Next &piece : pieces) {
      const int table = piece.staged ? static_cast<int>(next.local_offset.size()) : -1;
      next.segments.push_back({piece.begin, piece.end, piece.block, table});
      if (piece.staged && piece.table < 0) add_table(next, owners_, piece, part, request_.groups.size());
      if (piece.staged && piece.table >= 0) copy_table(next, piece);
    }
    next.part_offset.push_back(static_cast<int>(next.segments.size()));
  }

  void copy_table(OwnerLists &next, const Next &piece) const {
    const std::size_t groups = request_.groups.size(), table = static_cast<std::size_t>(piece.table);
    const auto local = lists_.local.begin() + lists_.local_offset[table];
    next.local_offset.push_back(static_cast<std::int64_t>(next.local.size()));
    next.local.insert(next.local.end(), local, local + piece.elements() * static_cast<std::ptrdiff_t>(columns_.size()));
    const std::int64_t first = lists_.slot_offset[table * groups], last = lists_.slot_offset[(table + 1) * groups];
    const std::int64_t shift = static_cast<std::int64_t>(next.slot_row.size()) - first;
    for (std::size_t g = 1; g <= groups; ++g)
      next.slot_offset.push_back(lists_.slot_offset[table * groups + g] + shift);
    next.slot_row.insert(next.slot_row.end(), lists_.slot_row.begin() + first, lists_.slot_row.begin() + last);
  }

  OwnerLists &lists_;
  const PlanRequest &request_;
  std::span<const int> block_offset_;
  const std::vector<Column> columns_;
  const Owners owners_;
  std::vector<std::size_t> at_;       // of each part: the segment that was looked at last
  std::vector<ElementRange> windows_; // ascending, apart
};

} // namespace

void adapt_owners(OwnerLists &lists, const PlanRequest &request, std::span<const int> block_offset,
                  std::span<const int> elements) {
  Change(lists, request, block_offset).make(elements);
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
