// Random programs of loops on random meshes, and what their rows hold after a schedule of a chain: for tests of chains
// on threads.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "loop/threads/lists.hpp"
#include "loop/verify/fault.hpp"

namespace op2::core::chain_program {

using Number = std::uint64_t;

struct Table {
  int from, to, columns;
  std::vector<int> entries;
};

struct Program {
  std::vector<int> rows; // of each set
  std::vector<Table> tables;
  std::vector<std::vector<int>> cuts; // of each loop
  std::vector<ChainLoop> loops;
  std::vector<ChainColumns> columns;
};

class Maker {
 public:
  Maker(unsigned seed, double near) : random_(seed), near_(near) {}

  Program program() {
    const int sets = 1 + below(4);
    for (int s = 0; s < sets; ++s) out_.rows.push_back(s > 0 && below(5) == 0 ? 1 + below(3) : 600 + below(3000));
    for (int t = 0; t < 4; ++t) add_table(below(sets), below(sets));
    const int loops = 2 + below(8);
    out_.cuts.resize(static_cast<std::size_t>(loops));
    for (int l = 0; l < loops; ++l) add_loop(below(sets), out_.cuts[static_cast<std::size_t>(l)]);
    return std::move(out_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  void add_table(int from, int to) {
    Table table{from, to, 1 + below(4), {}};
    const int targets = out_.rows[static_cast<std::size_t>(to)], size = out_.rows[static_cast<std::size_t>(from)];
    for (int e = 0; e < size; ++e)
      for (int c = 0; c < table.columns; ++c) {
        const double place = static_cast<double>(e) / size + near_ * (below(1001) / 1000.0 - 0.5);
        table.entries.push_back(std::clamp(static_cast<int>(place * targets), 0, targets - 1));
      }
    out_.tables.push_back(std::move(table));
  }
  void add_loop(int set, std::vector<int> &cuts) {
    ChainLoop loop;
    ChainColumns columns;
    loop.size = out_.rows[static_cast<std::size_t>(set)];
    loop.bytes = 1 + below(100);
    loop.runs_of_element = below(3) > 0 ? ElementRuns::by_rows : ElementRuns::once;
    const bool by_rows = loop.runs_of_element == ElementRuns::by_rows;
    std::set<int> targets;
    for (std::size_t t = 0; t < out_.tables.size(); ++t) {
      const Table &table = out_.tables[t];
      bool grouped = false; // a group has the columns of a table that change rows
      for (int c = 0; table.from == set && c < table.columns; ++c) {
        const bool adds = below(2) == 0;
        if (below(3) == 0 || (adds && by_rows && !grouped && targets.contains(table.to))) continue;
        if (adds && by_rows) {
          grouped = true;
          targets.insert(table.to);
          columns.map.push_back(static_cast<int>(t));
          columns.column.push_back(c);
          columns.reach.push_back(static_cast<int>(loop.reaches.size()));
        }
        loop.reaches.push_back({table.to, table.entries.data() + c, table.columns, adds, !adds || below(2) == 0});
      }
      if (grouped) columns.group_offset.push_back(static_cast<int>(columns.reach.size()));
    }
    if (columns.reach.empty()) loop.runs_of_element = ElementRuns::once;
    const bool whole = loop.runs_of_element == ElementRuns::once;
    if (below(3) > 0)
      loop.reaches.push_back({set, nullptr, 0, below(2) == 0 && (whole || !targets.contains(set)), whole});
    if (below(whole ? 4 : 3) == 0) {
      for (int at = 0; at < loop.size; at += 1 + below(200)) cuts.push_back(at);
      cuts.push_back(loop.size);
      loop.cuts = cuts;
    }
    out_.loops.push_back(loop);
    out_.columns.push_back(columns);
  }

  std::mt19937 random_;
  double near_; // how far from its own place an element reaches, as part of the set; 1 = anywhere
  Program out_;
};

// Faces between the cubes of a box, cubes and faces in good order but for some that have changed places with others
// near them.
inline Program box(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> number(static_cast<std::size_t>(n * n * n));
  std::iota(number.begin(), number.end(), 0);
  std::vector<std::pair<int, int>> faces;
  const auto shuffle = [&](auto &list, std::size_t window) {
    for (std::size_t at = 0; at < list.size(); at += window)
      std::shuffle(list.begin() + static_cast<std::ptrdiff_t>(at),
                   list.begin() + static_cast<std::ptrdiff_t>(std::min(at + window, list.size())), random);
  };
  shuffle(number, 1 + seed % 7u);
  for (int cube = 0; cube < n * n * n; ++cube)
    for (const auto &[step, last] : {std::pair{1, cube % n}, {n, cube / n % n}, {n * n, cube / n / n}})
      if (last + 1 < n)
        faces.emplace_back(number[static_cast<std::size_t>(cube)], number[static_cast<std::size_t>(cube + step)]);
  shuffle(faces, 1 + seed % 5u);
  Program out;
  out.rows = {n * n * n, static_cast<int>(faces.size())};
  out.tables.push_back({1, 0, 2, {}});
  for (const auto &[left, right] : faces) out.tables[0].entries.insert(out.tables[0].entries.end(), {left, right});
  out.cuts.resize(8);
  for (int l = 0; l < 8; ++l) {
    ChainLoop loop;
    ChainColumns columns;
    loop.size = out.rows[l % 2 == 0 ? 1 : 0];
    loop.bytes = 50.0 * loop.size;
    if (l % 2 == 1) {
      loop.reaches = {{0, nullptr, 0, true, true}};
    } else {
      loop.runs_of_element = ElementRuns::by_rows;
      columns = {{0, 2}, {0, 0}, {0, 1}, {0, 1}};
      for (int c = 0; c < 2; ++c) loop.reaches.push_back({0, out.tables[0].entries.data() + c, 2, true, true});
    }
    out.loops.push_back(loop);
    out.columns.push_back(columns);
  }
  return out;
}

inline int row_of(const Reach &reach, int element) {
  return reach.column ? reach.column[element * reach.step] : element;
}

// Each set has two dats: a loop reads one of them and changes the other, and loops take turns. A row is a number that
// tells in which order it was changed, and what those that changed it had read at that moment.
class State {
 public:
  explicit State(const Program &program) : program_(program) {
    for (int turn = 0; turn < 2; ++turn)
      for (const int rows : program.rows)
        dats_.emplace_back(static_cast<std::size_t>(rows), static_cast<Number>(1 + turn));
    for (const ChainLoop &loop : program.loops) {
      records_.emplace_back(std::max<std::size_t>(loop.cuts.size(), 1));
      seen_.emplace_back(static_cast<std::size_t>(loop.size));
    }
  }

  // changes(reach): whether this run of the element changes this row. record: of its block, or NULL.
  template <class Changes>
  void run(int l, int e, const Changes &changes, Number *record) {
    const ChainLoop &loop = program_.loops[static_cast<std::size_t>(l)];
    Number seen = static_cast<Number>(l) * 1000003u + static_cast<Number>(e);
    for (const Reach &reach : loop.reaches)
      if (reach.reads) seen = (seen ^ row(reach, e, l % 2)) * 0x9e3779b97f4a7c15u;
    // An element that runs several times sees the same each time, also where nothing of it is kept.
    Number &before = seen_[static_cast<std::size_t>(l)][static_cast<std::size_t>(e)];
    torn_ = torn_ || (before != 0 && before != seen);
    before = seen;
    for (std::size_t r = 0; r < loop.reaches.size(); ++r) {
      const Reach &reach = loop.reaches[r];
      if (!reach.adds || !changes(r)) continue;
      Number &at = row(reach, e, 1 - l % 2);
      at = (at * 31u) ^ seen;
    }
    if (record) *record = (*record * 31u) ^ seen;
  }
  Number *record(int l, int block) { return &records_[static_cast<std::size_t>(l)][static_cast<std::size_t>(block)]; }

  bool torn() const { return torn_; }
  bool operator==(const State &other) const { return dats_ == other.dats_ && records_ == other.records_; }

 private:
  Number &row(const Reach &reach, int e, int which) {
    const auto dat = static_cast<std::size_t>(reach.set) + static_cast<std::size_t>(which) * program_.rows.size();
    return dats_[dat][static_cast<std::size_t>(row_of(reach, e))];
  }
  const Program &program_;
  std::vector<std::vector<Number>> dats_, records_, seen_;
  bool torn_ = false;
};

inline State loop_after_loop(const Program &program) {
  State out(program);
  for (int l = 0; l < static_cast<int>(program.loops.size()); ++l) {
    const ChainLoop &loop = program.loops[static_cast<std::size_t>(l)];
    int block = 0;
    for (int e = 0; e < loop.size; ++e) {
      while (!loop.cuts.empty() && e >= loop.cuts[static_cast<std::size_t>(block) + 1]) ++block;
      out.run(
          l, e, [](std::size_t) { return true; }, loop.cuts.empty() ? nullptr : out.record(l, block));
    }
  }
  return out;
}

// As an executor does.
class Lists {
 public:
  Lists(const Program &program, const ChainLists &lists) : Lists(program, lists, 0, State(program)) {}
  // Of the loops from `first` on, after which others have come.
  Lists(const Program &program, const ChainLists &lists, std::size_t first, State state)
      : program_(program), lists_(lists), first_(first), state_(std::move(state)) {}

  // Lists that may run take turns by chance.
  State run(std::mt19937 &random) {
    std::vector<int> done(lists_.lists.size());
    for (;;) {
      std::vector<std::size_t> ready;
      bool all = true;
      for (std::size_t k = 0; k < lists_.lists.size(); ++k) {
        const op_exec_chain_list &list = lists_.lists[k];
        if (done[k] == list.last_step - list.first_step) continue;
        all = false;
        bool waits = false;
        for (int w = list.first_wait; w < list.last_wait; ++w) {
          const op_exec_chain_wait &wait = lists_.waits[static_cast<std::size_t>(w)];
          waits = waits || done[static_cast<std::size_t>(wait.list)] < wait.steps;
        }
        if (!waits) ready.push_back(k);
      }
      if (ready.empty()) {
        EXPECT_TRUE(all) << "lists wait for each other";
        return state_;
      }
      // Often the last one that may run, for a thread may be much faster than others.
      const std::size_t k = random() % 3 > 0 ? ready.back() : ready[random() % ready.size()];
      run_step(lists_.steps[static_cast<std::size_t>(lists_.lists[k].first_step + done[k]++)]);
    }
  }

  // A piece was no block.
  bool misled() const { return misled_; }

 private:
  const ChainLoop &loop_of(std::size_t l) const { return program_.loops[first_ + l]; }
  const ChainColumns &columns_of(std::size_t l) const { return program_.columns[first_ + l]; }
  void run_step(const op_exec_chain_step &step) {
    const auto l = static_cast<std::size_t>(step.loop);
    const int number = static_cast<int>(first_ + l);
    for (int s = step.first; s < step.last; ++s) {
      const op_exec_segment &segment = lists_.loops[l].segments[static_cast<std::size_t>(s)];
      if (!loop_of(l).cuts.empty() && segment.block >= 0) {
        const std::span<const int> cuts = loop_of(l).cuts;
        const auto block = static_cast<std::size_t>(segment.block);
        misled_ = misled_ || segment.begin != cuts[block] || segment.end != cuts[block + 1];
        misled_ = misled_ || lists_.loops[l].elements(segment) != segment.end - segment.begin;
      }
      for (int e = segment.begin; e < segment.end; ++e)
        if (segment.staged == -1 || lists_.loops[l].runs(segment, e - segment.begin))
          state_.run(
              number, e, [&](std::size_t reach) { return segment.staged == -1 || keeps(l, segment, e, reach); },
              segment.block >= 0 ? state_.record(number, segment.block) : nullptr);
    }
  }
  bool keeps(std::size_t l, const op_exec_segment &segment, int e, std::size_t reach) const {
    const std::vector<int> &reaches = columns_of(l).reach;
    if (reaches.empty()) return true; // elements stay whole
    const auto c = std::ranges::find(reaches, static_cast<int>(reach)) - reaches.begin();
    const bool direct = loop_of(l).reaches[reach].direct(); // goes with the first column
    return lists_.loops[l].owns(segment, e - segment.begin, direct ? 0 : static_cast<int>(c));
  }

  const Program &program_;
  const ChainLists &lists_;
  const std::size_t first_;
  State state_;
  bool misled_ = false;
};

// The same program as the verifier sees it: each set has two dats, see State.
inline AccessedChain accesses_of(const Program &program) {
  const int sets = static_cast<int>(program.rows.size());
  AccessedChain out;
  out.rows = program.rows;
  out.rows.insert(out.rows.end(), program.rows.begin(), program.rows.end());
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    AccessedLoop &loop = out.loops.emplace_back(AccessedLoop{program.loops[l].size, {}, program.loops[l].cuts});
    const int turn = static_cast<int>(l % 2) * sets;
    for (const Reach &reach : program.loops[l].reaches) {
      RowAccess access{reach.set + turn, OP_READ, reach.column, reach.step};
      for (std::size_t t = 0; reach.column && t < program.tables.size(); ++t) {
        const Table &table = program.tables[t];
        const std::ptrdiff_t column =
            std::less_equal<>()(table.entries.data(), reach.column) ? reach.column - table.entries.data() : -1;
        if (column >= 0 && column < table.columns)
          access.map = static_cast<int>(t), access.number = static_cast<int>(column);
      }
      if (reach.reads) loop.accesses.push_back(access);
      access.dat = reach.set + sets - turn;
      access.access = reach.column ? OP_INC : OP_WRITE;
      if (reach.adds) loop.accesses.push_back(access);
    }
  }
  return out;
}

} // namespace op2::core::chain_program

// SPDX-License-Identifier: MIT
