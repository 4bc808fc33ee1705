// Chains on threads against loop after loop, on random meshes with random loops: whatever lists do at the same time,
// every row ends with the same history.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "chain_program.hpp"
#include "loop/tiles/borders.hpp"
#include "loop/verify/fault_text.hpp"

namespace op2::core {
namespace {

using namespace chain_program;

TEST(ChainLists, ThreadsGiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(11);
  int shared = 0, staged = 0, waits = 0, blocks = 0, left_out = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const Program program = Maker(round, round % 4 == 0 ? 1.0 : round % 4 == 1 ? 0.1 : 0.004).program();
    const ChainTiles tiles = tile_chain(program.loops, program.rows, 1 + static_cast<int>(random() % 12u));
    const int parts = 1 + static_cast<int>(random() % 5u);
    const ChainLists lists =
        list_chain(program.loops, program.columns, tiles, part_chain(program.loops, program.rows, parts));
    ASSERT_FALSE(find_fault(accesses_of(program), tiles)) << "round " << round;
    ASSERT_FALSE(find_fault(accesses_of(program), lists)) << "round " << round << ", " << parts << " parts";
    Lists run(program, lists);
    const State state = run.run(random);
    EXPECT_FALSE(run.misled()) << "round " << round;
    ASSERT_TRUE(state == loop_after_loop(program)) << "round " << round << ", " << parts << " parts";
    EXPECT_FALSE(state.torn()) << "round " << round << ", " << parts << " parts";
    int busy = 0;
    for (const op_exec_chain_list &list : lists.lists) busy += list.first_wait == list.last_wait;
    shared += parts > 1 && busy == parts && lists.longest < 0.7 * parts;
    waits += !lists.waits.empty();
    for (const ListedLoop &loop : lists.loops) {
      const auto others = [&](const auto &s) { return loop.elements(s) < s.end - s.begin; };
      staged += std::ranges::any_of(loop.segments, [](const auto &s) { return s.staged != -1; });
      left_out += std::ranges::any_of(loop.segments, others);
    }
    for (const ListedLoop &loop : lists.loops) // blocks of which the list has some rows only
      blocks += std::ranges::any_of(loop.segments, [](const auto &s) { return s.staged != -1 && s.block >= 0; });
  }
  EXPECT_GT(shared, 50); // programs whose work was really shared
  EXPECT_GT(staged, 50);
  EXPECT_GT(waits, 100);
  EXPECT_GT(blocks, 50);
  EXPECT_GT(left_out, 50);
}

TEST(ChainLists, BoxesAreSharedByThreads) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 12; ++round) {
    const int n = 12 + static_cast<int>(round % 3u), parts = 2 + static_cast<int>(round % 2u);
    const Program program = box(n, round);
    const ChainLists lists = list_chain(program.loops, program.columns, tile_chain(program.loops, program.rows, 6),
                                        part_chain(program.loops, program.rows, parts));
    ASSERT_FALSE(find_fault(accesses_of(program), lists)) << "round " << round;
    EXPECT_LT(lists.longest, 0.85 * parts) << "round " << round;
    Lists run(program, lists);
    const State state = run.run(random);
    EXPECT_FALSE(run.misled()) << "round " << round;
    ASSERT_TRUE(state == loop_after_loop(program)) << "round " << round;
  }
}

// What a mistake in making schedules does to one.
class Spoiler {
 public:
  Spoiler(ChainLists &lists, std::mt19937 &random) : lists_(lists), random_(random) {}

  bool spoil() {
    switch (below(8)) {
      case 0: { // a wait is forgotten
        op_exec_chain_list *const list = waiting();
        return list && --list->last_wait >= 0;
      }
      case 1: { // or too short
        op_exec_chain_list *const list = waiting();
        return list && --lists_.waits[static_cast<std::size_t>(list->first_wait)].steps > 0;
      }
      case 2: { // two pieces change places
        const op_exec_chain_list &list = any(lists_.lists);
        const int steps = list.last_step - list.first_step;
        if (steps < 2) return false;
        const auto at = static_cast<std::size_t>(list.first_step + below(steps - 1));
        std::swap(lists_.steps[at], lists_.steps[at + 1]);
        return lists_.steps[at].loop != lists_.steps[at + 1].loop;
      }
      case 3: { // a piece loses its last elements
        op_exec_chain_step &step = any(lists_.steps);
        return --step.last >= step.first;
      }
      case 4: { // a loop's pieces come in another order
        std::vector<op_exec_segment> &segments = any(lists_.loops).segments;
        if (segments.size() < 2) return false;
        std::swap(any(segments), any(segments));
        return true;
      }
      case 5: { // an element is missing, or runs once more
        std::vector<op_exec_segment> &segments = any(lists_.loops).segments;
        if (segments.empty()) return false;
        op_exec_segment &segment = any(segments);
        if (segment.staged != -1 || segment.block >= 0 || segment.begin == 0) return false;
        segment.begin += below(2) == 0 ? 1 : -1;
        return true;
      }
      case 6: { // a piece has bits of another one, or none
        ListedLoop &loop = any(lists_.loops);
        if (loop.segments.empty()) return false;
        op_exec_segment &segment = any(loop.segments);
        if (segment.staged == -1) return false;
        const int words = static_cast<int>(loop.own.size());
        const int word = below(2) == 0 ? words : std::min(loop.word(segment) + 1 + below(3), words);
        segment.staged = segment.staged < 0 ? -2 - word : word;
        return true;
      }
      default: { // a row is kept, or dropped, where it should not be, or an element run
        std::vector<std::uint32_t> &own = any(lists_.loops).own;
        if (own.empty()) return false;
        any(own) ^= 1u << below(32);
        return true;
      }
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class T>
  T &any(std::vector<T> &list) {
    return list[random_() % list.size()];
  }
  op_exec_chain_list *waiting() {
    op_exec_chain_list &list = any(lists_.lists);
    return list.first_wait < list.last_wait ? &list : nullptr;
  }
  ChainLists &lists_;
  std::mt19937 &random_;
};

// Whatever changes some result, on threads at any speed, is found; and where nothing is found, no result changes.
TEST(ChainLists, FaultsAreFound) {
  std::mt19937 random(5);
  int spoiled = 0, found = 0, seen = 0, kinds[6] = {};
  for (unsigned round = 0; round < 350; ++round) {
    const Program program = Maker(round, round % 3 == 0 ? 0.1 : 0.01).program();
    const ChainTiles tiles = tile_chain(program.loops, program.rows, 2 + static_cast<int>(random() % 8u));
    ChainLists lists = list_chain(program.loops, program.columns, tiles,
                                  part_chain(program.loops, program.rows, 2 + static_cast<int>(random() % 3u)));
    if (!Spoiler(lists, random).spoil()) continue;
    ++spoiled;
    const std::optional<ScheduleFault> fault = find_fault(accesses_of(program), lists);
    if (fault) ++found, ++kinds[static_cast<int>(fault->kind)];
    const State right = loop_after_loop(program);
    const bool without_bits = fault && fault->kind == ScheduleFault::Kind::table;
    for (int speed = 0; speed < 4 && !without_bits; ++speed) {
      Lists run(program, lists);
      const State state = run.run(random);
      if (state == right && !state.torn() && !run.misled()) continue;
      ++seen;
      ASSERT_TRUE(fault) << "round " << round;
      break;
    }
  }
  EXPECT_GT(spoiled, 150);
  EXPECT_GT(seen, 75);
  EXPECT_GE(found, seen);
  for (const ScheduleFault::Kind kind :
       {ScheduleFault::Kind::order, ScheduleFault::Kind::left, ScheduleFault::Kind::again, ScheduleFault::Kind::table})
    EXPECT_GT(kinds[static_cast<int>(kind)], 2) << static_cast<int>(kind);
}

// Three loops on lists of their own, one after another: each changes the rows of one dat.
struct ThreeLists {
  ThreeLists() {
    chain.rows = {4};
    for (int l = 0; l < 3; ++l) {
      chain.loops.push_back({4, {{0, OP_RW}}, {}});
      lists.loops.emplace_back().segments = {{0, 4, -1, -1}};
      lists.steps.push_back({l, 0, 1});
      lists.lists.push_back({l, l, l + 1, std::max(l - 1, 0), l});
    }
    lists.waits = {{0, 1}, {1, 1}};
  }
  AccessedChain chain;
  ChainLists lists;
};

// What a list has waited for is done for those who wait for it, too.
TEST(ChainLists, WaitsReachFurther) {
  const ThreeLists all;
  EXPECT_FALSE(find_fault(all.chain, all.lists));
  ThreeLists apart;
  apart.chain.loops[1].accesses[0].access = OP_READ; // still between the two others
  EXPECT_FALSE(find_fault(apart.chain, apart.lists));
  apart.lists.lists[1].last_wait = 0;
  std::optional<ScheduleFault> fault = find_fault(apart.chain, apart.lists);
  ASSERT_TRUE(fault);
  EXPECT_EQ(ScheduleFault::Kind::order, fault->kind);
  EXPECT_EQ((std::array{0, 0, 1, 0}),
            (std::array{fault->earlier.loop, fault->earlier.element, fault->later.loop, fault->later.element}));
  apart.chain.loops[1].accesses.clear(); // nothing but the way by list 1 is missing
  fault = find_fault(apart.chain, apart.lists);
  ASSERT_TRUE(fault);
  EXPECT_EQ((std::array{0, 2}), (std::array{fault->earlier.loop, fault->later.loop}));
}

TEST(ChainLists, WaitsForLaterListsAreFaults) {
  for (const op_exec_chain_wait &wait : {op_exec_chain_wait{2, 1}, {1, 1}, {0, 2}, {0, 0}, {-1, 1}}) {
    ThreeLists all;
    all.lists.waits[0] = wait;
    const std::optional<ScheduleFault> fault = find_fault(all.chain, all.lists);
    ASSERT_TRUE(fault);
    EXPECT_EQ(ScheduleFault::Kind::wait, fault->kind) << wait.list;
  }
}

TEST(ChainLists, PartsOfBlocksAreFaults) {
  const std::vector<int> blocks = {0, 2, 4};
  AccessedChain chain{{4}, {{4, {{0, OP_READ}}, blocks}}};
  const auto kind = [&](std::vector<Step> steps) {
    const std::optional<ScheduleFault> fault = find_fault(chain, ChainTiles{steps, {0, steps.size()}});
    return fault ? static_cast<int>(fault->kind) : -1;
  };
  EXPECT_EQ(-1, kind({run_elements(0, 2, 4), run_elements(0, 0, 2)})); // nobody sees in which order
  EXPECT_EQ(static_cast<int>(ScheduleFault::Kind::block), kind({run_elements(0, 0, 3), run_elements(0, 3, 4)}));
  EXPECT_EQ(static_cast<int>(ScheduleFault::Kind::left), kind({run_elements(0, 0, 2)}));
  EXPECT_EQ(static_cast<int>(ScheduleFault::Kind::again), kind({run_elements(0, 0, 2), run_elements(0, 0, 4)}));
}

TEST(ChainLists, FaultsNameWhatMeets) {
  const ChainNames names{"step", {"flux", "update"}, {"edges", "cells"}, {"q"}, {"cells"}};
  ScheduleFault fault{ScheduleFault::Kind::order, 0, 7, {0, 31, 0, 4, OP_INC}, {1, 7, 2, 5, OP_RW}};
  EXPECT_NE(std::string::npos,
            fault_text(fault, names, "3 tiles on 2 threads")
                .find("chain 'step' of 2 loops, in 3 tiles on 2 threads: element 7 of set 'cells' in loop 'update' "
                      "(OP_RW, piece 5 of list 2) may come before element 31 of set 'edges' in loop 'flux' (OP_INC, "
                      "piece 4 of list 0) at row 7 of dat 'q' of set 'cells', against the order of loops. "));
  fault.kind = ScheduleFault::Kind::left;
  EXPECT_NE(std::string::npos,
            fault_text(fault, names, "3 tiles")
                .find(": nobody keeps what element 31 of set 'edges' in loop 'flux' makes of row 7 of dat 'q'"));
  fault.kind = ScheduleFault::Kind::again;
  EXPECT_NE(std::string::npos,
            fault_text(fault, names, "3 tiles").find(" and piece 5 of list 2 both keep what it makes of row 7"));
  fault.dat = fault.row = -1;
  EXPECT_NE(std::string::npos,
            fault_text(fault, names, "3 tiles").find("is run twice, in piece 4 of list 0 and in piece 5 of list 2"));
  for (const ScheduleFault::Kind kind :
       {ScheduleFault::Kind::table, ScheduleFault::Kind::block, ScheduleFault::Kind::wait}) {
    fault.kind = kind;
    EXPECT_NE(std::string::npos, fault_text(fault, names, "3 tiles").find("list 0"))
        << fault_text(fault, names, "3 tiles");
  }
}

// Sweeps over a grid: borders are narrow, and tiles stay.
TEST(ChainLists, BordersOfAGridAreNarrow) {
  constexpr int width = 64, cells = width * 1024, sweeps = 5, parts = 4;
  std::vector<int> ends;
  for (int c = 0; c < cells; ++c)
    for (const int other : {c % width + 1 < width ? c + 1 : c, c + width < cells ? c + width : c}) {
      ends.push_back(c);
      ends.push_back(other);
    }
  const std::vector<int> rows = {cells};
  const ChainLoop on_edges{
      2 * cells, 2, {{0, ends.data(), 2, true}, {0, ends.data() + 1, 2, true}}, {}, ElementRuns::by_rows},
      on_cells{cells, 1, {{0, nullptr, 0, true}}, {}};
  const ChainColumns both{{0, 2}, {0, 0}, {0, 1}, {0, 1}};
  std::vector<ChainLoop> loops;
  std::vector<ChainColumns> columns;
  for (int k = 0; k < sweeps; ++k) {
    loops.insert(loops.end(), {on_edges, on_cells});
    columns.insert(columns.end(), {both, {}});
  }
  const ChainParts dealt = part_chain(loops, rows, parts);
  EXPECT_EQ(0, dealt.work[static_cast<std::size_t>(dealt.rest())]);
  // Each sweep adds two rows of cells on both sides; on average half of all.
  const double all = sweeps * 3.0, rows_of_border = 2.0 * sweeps;
  for (int p = 0; p + 1 < parts; ++p)
    EXPECT_LT(dealt.work[static_cast<std::size_t>(dealt.border(p))], 1.5 * all * rows_of_border * width / cells);
  EXPECT_LT(dealt.longest(), 1.03);
  const ChainLists lists = list_chain(loops, columns, tile_chain(loops, rows, 32), dealt);
  EXPECT_EQ(2u * parts - 1, lists.lists.size());
  std::size_t segments = 0;
  for (const ListedLoop &loop : lists.loops) segments += loop.segments.size();
  EXPECT_LT(segments, 32 * loops.size() * 2); // not cut to shreds
}

// Twenty sweeps over a grid with the sides of one of 4 million nodes, on two threads: what the schedule takes, relative
// to three dats and the map.
TEST(ChainLists, SchedulesOfAGridAreSmall) {
  constexpr int width = 100, height = 2000, nodes = width * height, sweeps = 20;
  std::vector<int> ends;
  for (int n = 0; n < nodes; ++n) {
    if (n % width + 1 < width) ends.insert(ends.end(), {n, n + 1});
    if (n + width < nodes) ends.insert(ends.end(), {n, n + width});
  }
  const std::vector<int> rows = {nodes};
  const int edges = static_cast<int>(ends.size()) / 2;
  const ChainLoop spread{
      edges, 2, {{0, ends.data(), 2, true}, {0, ends.data() + 1, 2, true}}, {}, ElementRuns::by_rows},
      relax{nodes, 1, {{0, nullptr, 0, true}}, {}};
  std::vector<ChainLoop> loops;
  std::vector<ChainColumns> columns;
  for (int k = 0; k < sweeps; ++k) {
    loops.insert(loops.end(), {spread, relax});
    columns.insert(columns.end(), {ChainColumns{{0, 2}, {0, 0}, {0, 1}, {0, 1}}, {}});
  }
  ChainLists lists = list_chain(loops, columns, tile_chain(loops, rows, 20), part_chain(loops, rows, 2));
  const double data = 3 * 8.0 * nodes + 4.0 * static_cast<double>(ends.size());
  EXPECT_LT(bytes_of(lists), 0.004 * data);
}

// The faces between the tetrahedra of a box of n * n * n cubes, six in each: pairs of tetrahedra, in the order of the
// first one.
std::vector<int> faces_of_tetrahedra(int n) {
  const auto corner = [n](std::array<int, 3> at) { return (at[2] * (n + 1) + at[1]) * (n + 1) + at[0]; };
  std::map<std::array<int, 3>, int> open; // faces of one tetrahedron so far, by their corners
  std::vector<std::array<int, 2>> faces;
  int cell = 0;
  for (int cube = 0; cube < n * n * n; ++cube) {
    std::array<int, 3> way = {0, 1, 2}; // from the cube's first corner to its last one, along its edges
    do {
      std::array<int, 3> at = {cube % n, cube / n % n, cube / n / n};
      std::array<int, 4> corners = {corner(at)};
      for (std::size_t k = 0; k < 3; ++k) ++at[static_cast<std::size_t>(way[k])], corners[k + 1] = corner(at);
      for (std::size_t opposite = 0; opposite < 4; ++opposite) {
        std::array<int, 3> face{};
        std::size_t count = 0;
        for (std::size_t k = 0; k < 4; ++k)
          if (k != opposite) face[count++] = corners[k];
        const auto [known, is_new] = open.insert({face, cell}); // corners ascend
        if (!is_new) faces.push_back({known->second, cell});
      }
      ++cell;
    } while (std::ranges::next_permutation(way).found);
  }
  std::ranges::sort(faces);
  std::vector<int> out;
  for (const auto &[first, second] : faces) out.insert(out.end(), {first, second});
  return out;
}

// Three stages of a flow on 48 000 tetrahedra: what the schedule takes, relative to three dats of five values for each
// cell, one of three for each face, and the map.
TEST(ChainLists, SchedulesOfTetrahedraAreSmall) {
  constexpr int cells = 6 * 20 * 20 * 20, stages = 3;
  Program program;
  program.rows = {cells};
  program.tables = {{1, 0, 2, faces_of_tetrahedra(20)}};
  const std::vector<int> &ends = program.tables.front().entries;
  const int faces = static_cast<int>(ends.size()) / 2;
  ASSERT_GT(faces, 1.9 * cells);
  const ChainLoop flux{faces, 2, {{0, ends.data(), 2, true}, {0, ends.data() + 1, 2, true}}, {}, ElementRuns::by_rows},
      update{cells, 1, {{0, nullptr, 0, true}}, {}};
  for (int k = 0; k < stages; ++k) {
    program.loops.insert(program.loops.end(), {flux, update});
    program.columns.insert(program.columns.end(), {ChainColumns{{0, 2}, {0, 0}, {0, 1}, {0, 1}}, {}});
  }
  const double data = 3 * 40.0 * cells + (24.0 + 8.0) * faces;
  std::mt19937 random(7);
  for (const int parts : {4, 8}) {
    ReachTables tables;
    const std::optional<ChainTiles> tiles = tile_by_borders(program.loops, program.rows, 8, tables);
    ASSERT_TRUE(tiles);
    const ChainLists lists =
        list_chain(program.loops, program.columns, *tiles, part_chain(program.loops, program.rows, parts));
    EXPECT_LT(bytes_of(lists), (parts == 4 ? 0.015 : 0.03) * data) << parts << " parts";
    EXPECT_GT(bytes_of(lists), 0.001 * data) << parts << " parts"; // what lists share is counted
    Lists run(program, lists);
    EXPECT_TRUE(run.run(random) == loop_after_loop(program)) << parts << " parts";
  }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
