// Tiles of chains against loop after loop, on random meshes: every row keeps the order of the accesses that matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "loop/tiles/borders.hpp"
#include "loop/tiles/segments.hpp"
#include "loop/verify/fault.hpp"

namespace op2::core {
namespace {

struct Table {
  int from, to, columns;
  std::vector<int> entries;
};

struct Program {
  std::vector<int> rows; // of each set
  std::vector<Table> tables;
  std::vector<std::vector<int>> cuts; // of each loop
  std::vector<ChainLoop> loops;
  std::string text;
};

// near: how far from its own place an element reaches, as part of the set; 1 = anywhere. scale: of the sets; with more
// than 1, the elements of small sets reach one row each, anywhere.
Program random_program(std::mt19937 &random, double near, int scale = 1) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Program out;
  const int sets = 1 + below(4);
  for (int s = 0; s < sets; ++s)
    out.rows.push_back(s > 0 && below(4) == 0 ? below(3) : scale * (20 + below(scale > 1 && below(3) == 0 ? 20 : 400)));
  for (int t = 0; t < 4; ++t) {
    Table table{below(sets), below(sets), 1 + below(4), {}};
    const int to = out.rows[static_cast<std::size_t>(table.to)], from = out.rows[static_cast<std::size_t>(table.from)];
    if (from == 0 || to == 0) continue;
    const bool anywhere = scale > 1 && from < 40 * scale;
    for (int e = 0; e < from; ++e)
      for (int c = 0; c < table.columns; ++c) {
        const double place =
            anywhere ? (7919 * e % 1000) / 1000.0 : static_cast<double>(e) / from + near * (below(1001) / 1000.0 - 0.5);
        table.entries.push_back(std::clamp(static_cast<int>(place * to), 0, to - 1));
      }
    out.tables.push_back(std::move(table));
  }
  const int loops = 2 + below(8);
  out.cuts.resize(static_cast<std::size_t>(loops));
  for (int l = 0; l < loops; ++l) {
    const int set = below(sets);
    ChainLoop loop;
    loop.size = out.rows[static_cast<std::size_t>(set)];
    loop.bytes = 1 + below(100);
    if (below(3) > 0) loop.reaches.push_back({set, nullptr, 0, below(2) == 0});
    for (const Table &table : out.tables)
      for (int c = 0; table.from == set && c < table.columns; ++c)
        if (below(2) == 0) loop.reaches.push_back({table.to, table.entries.data() + c, table.columns, below(2) == 0});
    if (below(4) == 0) {
      std::vector<int> &cuts = out.cuts[static_cast<std::size_t>(l)];
      for (int at = 0; at < loop.size; at += 1 + below(50)) cuts.push_back(at);
      cuts.push_back(loop.size);
      loop.cuts = cuts;
    }
    out.loops.push_back(loop);
  }
  return out;
}

int row_of(const Reach &reach, int element) { return reach.column ? reach.column[element * reach.step] : element; }

// What each row holds when elements run in this order: a number that depends on the order in which it was changed, and
// on what those that changed it had read. Reads see rows at the moment of the element.
using Rows = std::vector<std::vector<std::uint64_t>>;
void run(const Program &program, int l, int begin, int end, Rows &rows) {
  const ChainLoop &loop = program.loops[static_cast<std::size_t>(l)];
  for (int e = begin; e < end; ++e) {
    std::uint64_t seen = static_cast<std::uint64_t>(l) * 1000003u + static_cast<std::uint64_t>(e);
    for (const Reach &reach : loop.reaches)
      if (!reach.adds)
        seen = (seen ^ rows[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(row_of(reach, e))]) *
               0x9e3779b97f4a7c15u;
    for (const Reach &reach : loop.reaches)
      if (reach.adds) {
        std::uint64_t &row =
            rows[static_cast<std::size_t>(reach.set) + program.rows.size()][static_cast<std::size_t>(row_of(reach, e))];
        row = (row * 31u) ^ seen;
      }
  }
  // What a loop reads it does not change: it reads one array of each set and changes another one. They change places.
}

// As in a program: each set has two dats; a loop reads one of them and adds to the other, and loops take turns.
std::vector<std::uint64_t> result(const Program &program, const std::vector<Step> &steps) {
  const std::size_t sets = program.rows.size();
  Rows dats(2 * sets);
  for (std::size_t s = 0; s < sets; ++s)
    for (std::size_t d : {s, s + sets}) dats[d].assign(static_cast<std::size_t>(program.rows[s]), 1 + d);
  for (const Step &step : steps) {
    const bool turned = step.loop % 2 == 1;
    const auto turn = [&] { std::rotate(dats.begin(), dats.begin() + static_cast<std::ptrdiff_t>(sets), dats.end()); };
    if (turned) turn();
    run(program, step.loop, step.begin, step.end, dats);
    if (turned) turn();
  }
  std::vector<std::uint64_t> out;
  for (const auto &rows : dats) out.insert(out.end(), rows.begin(), rows.end());
  return out;
}

std::vector<Step> loop_after_loop(const Program &program) {
  std::vector<Step> out;
  for (std::size_t l = 0; l < program.loops.size(); ++l)
    out.push_back(run_elements(static_cast<int>(l), 0, program.loops[l].size));
  return out;
}

// The program as the verifier sees it.
AccessedChain accesses_of(const Program &program) {
  const int sets = static_cast<int>(program.rows.size());
  AccessedChain out;
  for (int turn = 0; turn < 2; ++turn) out.rows.insert(out.rows.end(), program.rows.begin(), program.rows.end());
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    out.loops.push_back({program.loops[l].size, {}, program.loops[l].cuts});
    const int turn = static_cast<int>(l % 2) * sets;
    for (const Reach &reach : program.loops[l].reaches)
      out.loops.back().accesses.push_back(
          {reach.set + (reach.adds ? sets - turn : turn), reach.adds ? OP_INC : OP_READ, reach.column, reach.step});
  }
  return out;
}

TEST(Chain, TilesGiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(7);
  int cut = 0;
  for (int round = 0; round < 400; ++round) {
    const Program program = random_program(random, round % 4 == 0 ? 1.0 : 0.02);
    const int wanted = 1 + static_cast<int>(random() % 12u);
    const ChainTiles tiles = tile_chain(program.loops, program.rows, wanted);
    ASSERT_LE(tiles.tiles(), wanted);
    ASSERT_FALSE(find_fault(accesses_of(program), tiles)) << "round " << round;
    ASSERT_EQ(result(program, tiles.steps), result(program, loop_after_loop(program))) << "round " << round;
    cut += tiles.steps.size() > program.loops.size();
  }
  EXPECT_GT(cut, 200); // most programs were really cut
}

// The same by borders alone, wherever rows are in an order for it.
TEST(Chain, BordersGiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(8);
  int found = 0, cut = 0;
  for (int round = 0; round < 800; ++round) {
    const Program program = random_program(random, round % 8 == 0 ? 1.0 : round % 2 == 0 ? 0.02 : 0.1, 10);
    const int wanted = 2 + static_cast<int>(random() % 12u);
    ReachTables tables;
    const std::optional<ChainTiles> tiles = tile_by_borders(program.loops, program.rows, wanted, tables);
    if (!tiles) continue;
    ASSERT_LE(tiles->tiles(), wanted);
    ASSERT_FALSE(find_fault(accesses_of(program), *tiles)) << "round " << round;
    ASSERT_EQ(result(program, tiles->steps), result(program, loop_after_loop(program))) << "round " << round;
    ++found;
    cut += tiles->steps.size() > program.loops.size();
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(cut, 200);
}

// A loop that reaches every row once, anywhere; and one whose blocks of elements lie before or behind their place.
TEST(Chain, BordersOfAwkwardOrders) {
  constexpr int cells = 12000;
  std::vector<int> anywhere(cells), in_blocks(cells);
  for (int e = 0; e < cells; ++e) {
    anywhere[static_cast<std::size_t>(e)] = static_cast<int>(7919LL * e % cells);
    in_blocks[static_cast<std::size_t>(e)] = std::clamp(e + 150 * (e / 64 % 3 - 1), 0, cells - 1);
  }
  for (const auto *at : {&anywhere, &in_blocks}) {
    Program program;
    program.rows = {cells};
    const ChainLoop direct{cells, 10, {{0, nullptr, 0, true}, {0, nullptr, 0, false}}, {}},
        through{cells, 1, {{0, at->data(), 1, true}, {0, at->data(), 1, false}}, {}};
    program.loops = {direct, through, direct, through, direct};
    ReachTables tables;
    const std::optional<ChainTiles> tiles = tile_by_borders(program.loops, program.rows, 8, tables);
    ASSERT_TRUE(tiles);
    EXPECT_EQ(tiles->tiles(), 8);
    EXPECT_FALSE(find_fault(accesses_of(program), *tiles));
    EXPECT_EQ(result(program, tiles->steps), result(program, loop_after_loop(program)));
  }
}

// Rows of a mesh in good order: every tile has a part of each loop, and parts are contiguous.
TEST(Chain, LoopsInGoodOrderAreCutIntoSegments) {
  constexpr int width = 50, cells = width * 200, edges = 2 * cells;
  std::vector<int> ends;
  for (int c = 0; c < cells; ++c)
    for (const int other : {c % width + 1 < width ? c + 1 : c, c + width < cells ? c + width : c}) {
      ends.push_back(c);
      ends.push_back(other);
    }
  const std::vector<int> rows = {cells};
  const Reach own{0, nullptr, 0, true};
  const ChainLoop on_cells{cells, 1, {own}, {}};
  const ChainLoop on_edges{edges, 2, {{0, ends.data(), 2, true}, {0, ends.data() + 1, 2, true}}, {}};
  const std::vector<ChainLoop> loops = {on_cells, on_edges, on_cells, on_edges, on_cells};
  const ChainTiles tiles = tile_chain(loops, rows, 10);
  EXPECT_EQ(tiles.tiles(), 10);
  EXPECT_EQ(tiles.steps.size(), 10 * loops.size());
  for (const Step &step : tiles.steps) {
    const int size = loops[static_cast<std::size_t>(step.loop)].size;
    EXPECT_GT(step.end - step.begin, size / 20);
    EXPECT_LT(step.end - step.begin, size / 5);
  }
}

// A loop over a border whose elements lie anywhere does not end the tiles.
TEST(Chain, ScatteredElementsRunWhereTheyMay) {
  constexpr int cells = 10000, border = 100;
  std::mt19937 random(3);
  std::vector<int> at(border);
  for (int &cell : at) cell = static_cast<int>(random() % cells);
  const std::vector<int> rows = {cells};
  const ChainLoop on_cells{cells, 100, {{0, nullptr, 0, true}}, {}},
      on_border{border, 1, {{0, at.data(), 1, true}}, {}};
  const std::vector<ChainLoop> loops = {on_cells, on_border, on_cells};
  const ChainTiles tiles = tile_chain(loops, rows, 10);
  ASSERT_EQ(tiles.tiles(), 10);
  int widest = 0;
  for (const Step &step : tiles.steps)
    if (step.loop == 2) widest = std::max(widest, step.end - step.begin);
  EXPECT_LE(widest, cells / 5);
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
