// The pieces of owner plans: whose each row is, which elements each part runs, and the tables of pieces that keep their
// rows apart. Shared by the inspection of a whole loop and of a change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plan/owner.hpp"

namespace op2::core::owner_plan {

inline constexpr int shortest_owned = 16;   // shorter runs between staged ones are staged with them, to save calls
inline constexpr int longest_staged = 256;  // elements whose rows stay in the first-level cache
inline constexpr int cost_of_a_call = 12;   // in elements
inline constexpr int cost_of_staging = 2;   // relative to an element run in place
inline constexpr double most_uneven = 1.25; // the longest part relative to the mean

inline int grains_of(int rows) { return rows / owner_grain + (rows % owner_grain != 0 ? 1 : 0); }

// One column of a map, as elements reach rows through it.
struct Column {
  const int *at;
  std::ptrdiff_t stride;
  int rows;
  std::size_t group;
  int map, number;
  int row(int n) const { return at[n * stride]; }
};

inline std::vector<Column> columns_of(const PlanRequest &request) {
  std::vector<Column> columns;
  for (std::size_t g = 0; g < request.groups.size(); ++g)
    for (const ColumnSet &set : request.groups[g].columns) {
      if (set.map == nullptr) fail(OP_ERR_INTERNAL, "plan: an owner plan for a loop that writes its own rows directly");
      if (set.column < 0 || set.count < 0 || set.count > set.map_stride - set.column)
        fail(OP_ERR_INTERNAL, "plan: columns outside the map");
      for (int c = set.column; c < set.column + set.count; ++c)
        columns.push_back({set.map + c, set.map_stride, set.rows, g, set.number, c});
    }
  return columns;
}

// Who owns which row, group by group.
class Owners {
 public:
  Owners(const PlanRequest &request, std::span<const Column> columns, int parts)
      : columns_(columns), part_(request.groups.size()) {
    for (const Column &column : columns)
      if (part_[column.group].empty()) part_[column.group] = dealt(even_borders(column.rows, parts), parts);
  }

  // As an earlier inspection has dealt them out.
  Owners(std::span<const Column> columns, std::vector<std::vector<std::uint16_t>> part)
      : columns_(columns), part_(std::move(part)) {}

  const std::vector<std::vector<std::uint16_t>> &parts_of_grains() const { return part_; }

  // Deals the rows out again, so that each part is written to by as many elements.
  void weigh(int begin, int end, int parts) {
    for (std::size_t g = 0; g < part_.size(); ++g) {
      std::vector<std::int64_t> weight(part_[g].size());
      for (const Column &column : columns_)
        for (int n = begin; column.group == g && n < end; ++n)
          ++weight[static_cast<std::size_t>(column.row(n) / owner_grain)];
      const std::int64_t total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
      std::int64_t before = 0;
      for (std::size_t i = 0; i < weight.size(); ++i) {
        const std::int64_t middle = before + weight[i] / 2;
        part_[g][i] =
            static_cast<std::uint16_t>(total > 0 ? std::min<std::int64_t>(middle * parts / total, parts - 1) : 0);
        before += weight[i];
      }
    }
  }

  std::size_t columns() const { return columns_.size(); }
  const Column &column(std::size_t c) const { return columns_[c]; }
  int of(const Column &column, int n) const {
    const int row = column.row(n);
    if (static_cast<unsigned>(row) >= static_cast<unsigned>(column.rows)) [[unlikely]]
      fail(OP_ERR_RANGE, "plan: a map holds ", row, " but its target set has ", column.rows, " rows here");
    return part_[column.group][static_cast<unsigned>(row) / owner_grain];
  }
  int of(std::size_t c, int n) const { return of(columns_[c], n); }
  // The first element from n on of which some row has another owner.
  int end_of_run(int part, int n, int end) const {
    for (; n < end; ++n)
      for (const Column &column : columns_)
        if (of(column, n) != part) return n;
    return end;
  }

 private:
  static std::vector<std::uint16_t> dealt(const std::vector<int> &borders, int parts) {
    std::vector<std::uint16_t> part(static_cast<std::size_t>(grains_of(borders.back())));
    for (int p = 0; p < parts; ++p)
      std::fill(part.begin() + borders[static_cast<std::size_t>(p)] / owner_grain,
                part.begin() + grains_of(borders[static_cast<std::size_t>(p) + 1]), static_cast<std::uint16_t>(p));
    return part;
  }

  std::span<const Column> columns_;
  std::vector<std::vector<std::uint16_t>> part_; // [group][grain]
};

// A segment in the making.
struct Piece {
  int begin, end, block;
  bool staged;
  int elements() const { return end - begin; }
};

// The pieces of all parts.
class Cut {
 public:
  Cut(const Owners &owners, int parts)
      : owners_(&owners), pieces_(static_cast<std::size_t>(parts)), seen_(pieces_.size(), -1) {}

  void cut_elements(int begin, int end) {
    for (int n = begin; n < end;) {
      const int part = owners_->of(0, n), stop = owners_->end_of_run(part, n, end);
      if (stop > n) {
        add(part, n, stop, false);
        n = stop;
      } else {
        for_each_owner(n, [&](int p) { add(p, n, n + 1, true); });
        ++n;
      }
    }
  }

  // A block is one call of the kernel's range function, since that is what gives partial results their bits. The owner
  // of its first row runs all of it; other owners of rows in it run their elements besides.
  void cut_blocks(std::span<const int> block_offset, int first_block = 0) {
    for (std::size_t b = 0; b + 1 < block_offset.size(); ++b) {
      const int begin = block_offset[b], end = block_offset[b + 1];
      const int first = owners_->of(0, begin);
      const bool mixed = owners_->end_of_run(first, begin, end) < end;
      pieces_[static_cast<std::size_t>(first)].push_back({begin, end, first_block + static_cast<int>(b), mixed});
      for (int n = begin; mixed && n < end; ++n) {
        const bool shared = owners_->end_of_run(owners_->of(0, n), n, n + 1) == n;
        for_each_owner(n, [&](int p) {
          if (p != first) add(p, n, n + 1, shared);
        });
      }
    }
  }

  // The blocks of one run of a sequence; it begins and ends where blocks do.
  void cut_blocks_of(const SequenceRun &run, std::span<const int> block_offset) {
    const auto first = std::ranges::lower_bound(block_offset, run.begin);
    const auto last = std::lower_bound(first, block_offset.end(), run.end);
    cut_blocks({first, last + 1}, static_cast<int>(first - block_offset.begin()));
  }

  void join() {
    for (auto &pieces : pieces_) join(pieces);
  }

  const std::vector<std::vector<Piece>> &pieces() const { return pieces_; }

  static double work(const std::vector<Piece> &pieces) {
    double sum = 0;
    for (const Piece &piece : pieces) sum += piece.elements() * (piece.staged ? cost_of_staging : 1) + cost_of_a_call;
    return sum;
  }
  double work() const {
    double sum = 0;
    for (const auto &pieces : pieces_) sum += work(pieces);
    return sum;
  }
  bool uneven() const {
    double most = 0;
    for (const auto &pieces : pieces_) most = std::max(most, work(pieces));
    return most * static_cast<double>(pieces_.size()) > most_uneven * work();
  }

 private:
  template <class F>
  void for_each_owner(int n, F &&f) {
    for (std::size_t c = 0; c < owners_->columns(); ++c) {
      const int part = owners_->of(c, n);
      int &seen = seen_[static_cast<std::size_t>(part)];
      if (seen != n) f(part);
      seen = n;
    }
  }

  // Staged elements come one by one.
  void add(int part, int begin, int end, bool staged) {
    std::vector<Piece> &pieces = pieces_[static_cast<std::size_t>(part)];
    if (!pieces.empty()) {
      Piece &last = pieces.back();
      if (last.end == begin && last.block < 0 && last.staged == staged &&
          (!staged || last.elements() < longest_staged)) {
        last.end = end;
        return;
      }
    }
    pieces.push_back({begin, end, -1, staged});
  }

  // Near a border, pieces of both sorts alternate and are short; fewer and longer ones are faster.
  static void join(std::vector<Piece> &pieces) {
    const auto follows = [&](std::size_t i) { // without a gap, and both may be parts of one call
      return i > 0 && i < pieces.size() && pieces[i - 1].end == pieces[i].begin && pieces[i - 1].block < 0 &&
             pieces[i].block < 0;
    };
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (!pieces[i].staged && pieces[i].block < 0 && pieces[i].elements() < shortest_owned &&
          (follows(i) || follows(i + 1)))
        pieces[i].staged = true;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece piece = pieces[i];
      if (kept > 0) {
        Piece &last = pieces[kept - 1];
        if (last.end == piece.begin && last.block < 0 && piece.block < 0 && last.staged && piece.staged &&
            last.elements() + piece.elements() <= longest_staged) {
          last.end = piece.end;
          continue;
        }
      }
      pieces[kept++] = piece;
    }
    pieces.resize(kept);
  }

  const Owners *owners_;
  std::vector<std::vector<Piece>> pieces_; // by part
  std::vector<int> seen_;                  // by part: the last element it was met for
};

inline Cut cut(const PlanRequest &request, std::span<const int> block_offset, const Owners &owners, int parts) {
  Cut result(owners, parts);
  const bool blocks = request.kind == OP_PLAN_OWNER_BLOCKS;
  for (const SequenceRun &run : request.sequence) {
    if (blocks && run.own)
      result.cut_blocks_of(run, block_offset);
    else
      result.cut_elements(run.begin, run.end);
  }
  if (request.sequence.empty() && blocks) result.cut_blocks(block_offset);
  if (request.sequence.empty() && !blocks) result.cut_elements(request.begin, request.end);
  result.join();
  return result;
}

// The local table of one staged piece. Dats that are written through the same columns share it, and so do all loops
// with this plan.
inline void add_table(OwnerLists &lists, const Owners &owners, const Piece &piece, int part, std::size_t groups) {
  lists.local_offset.push_back(static_cast<std::int64_t>(lists.local.size()));
  std::vector<std::vector<int>> own(groups);
  for (std::size_t c = 0; c < owners.columns(); ++c) {
    const Column &column = owners.column(c);
    for (int n = piece.begin; n < piece.end; ++n)
      if (owners.of(column, n) == part) own[column.group].push_back(column.row(n));
  }
  for (std::vector<int> &rows : own) {
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    lists.slot_row.insert(lists.slot_row.end(), rows.begin(), rows.end());
    lists.slot_offset.push_back(static_cast<std::int64_t>(lists.slot_row.size()));
  }
  for (int n = piece.begin; n < piece.end; ++n)
    for (std::size_t c = 0; c < owners.columns(); ++c) {
      const Column &column = owners.column(c);
      const std::vector<int> &rows = own[column.group];
      const bool mine = owners.of(column, n) == part;
      const auto slot = mine ? std::ranges::lower_bound(rows, column.row(n)) : rows.end();
      lists.local.push_back(static_cast<int>(slot - rows.begin()));
    }
}

} // namespace op2::core::owner_plan
// SPDX-License-Identifier: MIT
