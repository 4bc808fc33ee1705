// Chains on threads of one of several processes: elements that run in another order than that of their numbers, and
// rows that have no place in the mesh by theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include "chain_program.hpp"

namespace op2::core {
namespace {

using namespace chain_program;

// Loops without blocks get an order of their elements: here and there some follow each other.
class Reordered {
 public:
  Reordered(const Program &program, std::mt19937 &random) : program(program), elements_(program.loops.size()) {
    for (std::size_t l = 0; l < program.loops.size(); ++l)
      if (program.loops[l].cuts.empty() && random() % 3 > 0) reorder(l, random);
  }
  // Segments of places again. Returns whether all elements of each segment follow each other.
  bool to_places(ChainLists &lists) const {
    for (std::size_t l = 0; l < elements_.size(); ++l) {
      const std::vector<int> &order = elements_[l];
      if (order.empty()) continue;
      std::vector<int> place(order.size());
      for (std::size_t p = 0; p < order.size(); ++p) place[static_cast<std::size_t>(order[p])] = static_cast<int>(p);
      for (op_exec_segment &segment : lists.loops[l].segments) {
        const int begin = place[static_cast<std::size_t>(segment.begin)];
        for (int e = segment.begin; e < segment.end; ++e)
          if (place[static_cast<std::size_t>(e)] != begin + e - segment.begin) return false;
        segment.end = begin + segment.end - segment.begin;
        segment.begin = begin;
      }
    }
    return true;
  }

  Program program; // as an inspector sees it

 private:
  void reorder(std::size_t l, std::mt19937 &random) {
    ChainLoop &loop = program.loops[l];
    std::vector<int> starts;
    for (int at = 0; at < loop.size; at += 1 + static_cast<int>(random() % 9u)) starts.push_back(at);
    std::vector<int> end(starts.begin() + 1, starts.end());
    end.push_back(loop.size);
    std::vector<std::size_t> runs(starts.size());
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    std::ranges::shuffle(runs, random);
    for (const std::size_t run : runs)
      for (int e = starts[run]; e < end[run]; ++e) elements_[l].push_back(e);
    program.columns[l].order = elements_[l];
    for (Reach &reach : loop.reaches) { // a column for each place, also where elements reach the rows of their numbers
      std::vector<int> &column = columns_.emplace_back();
      for (int p = 0; p < loop.size; ++p) column.push_back(row_of(reach, p));
      reach.map = reach.column;
      reach.own = !reach.column;
      reach.column = column.data();
      reach.step = 1;
    }
  }

  std::vector<std::vector<int>> elements_; // of each loop, by place; empty: by number
  std::list<std::vector<int>> columns_;
};

TEST(ChainPlaces, OrdersGiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(3);
  int shared = 0, staged = 0, direct = 0;
  for (unsigned round = 0; round < 150; ++round) {
    const Program given = Maker(round, round % 3 == 0 ? 0.1 : 0.004).program();
    Reordered reordered(given, random);
    const Program &program = reordered.program;
    std::vector<int> in_order;
    for (const int rows : program.rows)
      in_order.push_back(static_cast<int>(random() % static_cast<unsigned>(rows)) + 1);
    const ChainTiles tiles = tile_chain(program.loops, program.rows, 1 + static_cast<int>(random() % 12u), in_order);
    const int parts = 1 + static_cast<int>(random() % 5u);
    ChainLists lists =
        list_chain(program.loops, program.columns, tiles, part_chain(program.loops, program.rows, parts, in_order));
    for (std::size_t l = 0; l < program.loops.size(); ++l) {
      const auto shared_element = [](const op_exec_segment &segment) { return segment.staged != -1; };
      const bool other_order =
          !program.columns[l].order.empty() && std::ranges::any_of(lists.loops[l].segments, shared_element);
      staged += other_order;
      direct += other_order && std::ranges::any_of(program.loops[l].reaches, &Reach::own);
    }
    ASSERT_TRUE(reordered.to_places(lists)) << "round " << round;
    Lists run(program, lists);
    const State state = run.run(random);
    EXPECT_FALSE(run.misled()) << "round " << round;
    ASSERT_TRUE(state == loop_after_loop(given)) << "round " << round << ", " << parts << " parts";
    EXPECT_FALSE(state.torn()) << "round " << round << ", " << parts << " parts";
    int busy = 0;
    for (const op_exec_chain_list &list : lists.lists) busy += list.first_wait == list.last_wait;
    shared += parts > 1 && busy == parts && lists.longest < 0.8 * parts;
  }
  EXPECT_GT(shared, 30); // programs whose work was really shared
  EXPECT_GT(staged, 30);
  EXPECT_GT(direct, 10);
}

// Rows at the end of a set that lie anywhere in a grid, as the boundary of a process does, go to the parts around them:
// borders are as small as those of the grid in good order.
TEST(ChainPlaces, RowsOfABoundaryGoToTheirNeighbours) {
  constexpr int width = 30, cells = width * 900, sweeps = 4, parts = 3, others = cells / 10;
  std::vector<int> number(cells); // of a cell of the grid: every tenth one lies behind the others
  for (int c = 0, in_place = 0, behind = cells - others; c < cells; ++c)
    number[static_cast<std::size_t>(c)] = c % 10 == 7 ? behind++ : in_place++;
  std::vector<int> ends;
  for (int c = 0; c < cells; ++c)
    for (const int other : {c % width + 1 < width ? c + 1 : c, c + width < cells ? c + width : c}) {
      ends.push_back(number[static_cast<std::size_t>(c)]);
      ends.push_back(number[static_cast<std::size_t>(other)]);
    }
  const std::vector<int> rows = {cells}, in_order = {cells - others};
  const ChainLoop on_edges{
      2 * cells, 2, {{0, ends.data(), 2, true}, {0, ends.data() + 1, 2, true}}, {}, ElementRuns::by_rows},
      on_cells{cells, 1, {{0, nullptr, 0, true}}, {}};
  std::vector<ChainLoop> loops;
  for (int k = 0; k < sweeps; ++k) loops.insert(loops.end(), {on_cells, on_edges});
  const ChainParts dealt = part_chain(loops, rows, parts, in_order);
  EXPECT_EQ(0, dealt.work[static_cast<std::size_t>(dealt.rest())]);
  const double all = sweeps * 3.0, rows_of_border = 2.0 * sweeps;
  for (int p = 0; p + 1 < parts; ++p)
    EXPECT_LT(dealt.work[static_cast<std::size_t>(dealt.border(p))], 1.5 * all * rows_of_border * width / cells);
  EXPECT_LT(dealt.longest(), 1.03);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
