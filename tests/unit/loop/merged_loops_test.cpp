// Merged loops of a chain in tiles, on random meshes with random loops: element by element they give the bits of loop
// after loop, if the rows that they change are their own; else the verifier sees it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "chain_program.hpp"
#include "loop/fuse/in_turn.hpp"

namespace op2::core {
namespace {

using namespace chain_program;

bool changes(const RowAccess &access) { return access.access != OP_READ; }

// Of a loop that reaches rows of its own elements; -1: it is not known.
int set_of(const AccessedLoop &loop, int sets) {
  for (const RowAccess &access : loop.accesses)
    if (!access.column) return access.dat % sets;
  return -1;
}

// Whether an element of one loop meets another element of the other one.
bool meet(const AccessedLoop &a, const AccessedLoop &b) {
  for (const RowAccess &x : a.accesses)
    for (const RowAccess &y : b.accesses)
      if (x.dat == y.dat && (changes(x) || changes(y)) && (x.column || y.column)) return true;
  return false;
}

// careful: only loops that do not meet.
std::vector<FusedGroup> groups_of(const AccessedChain &chain, bool careful) {
  const int sets = static_cast<int>(chain.rows.size()) / 2;
  std::vector<FusedGroup> out;
  for (std::size_t l = 0; l < chain.loops.size(); ++l) {
    const AccessedLoop &loop = chain.loops[l];
    bool joins = !out.empty() && set_of(loop, sets) >= 0;
    for (std::size_t k = joins ? out.back().first : l; k < l; ++k) {
      const AccessedLoop &other = chain.loops[k];
      joins = joins && set_of(other, sets) == set_of(loop, sets) && (!careful || !meet(loop, other)) &&
              (loop.blocks.empty() || other.blocks.empty());
    }
    if (!joins) out.push_back({l, l, l});
    out.back().last = l + 1;
  }
  return out;
}

ChainTiles merged_tiles(const Program &program, const std::vector<FusedGroup> &groups, int wanted, int elements) {
  return in_turn(tile_chain(merged_loops(program.loops, groups), program.rows, wanted), groups, elements);
}

State state_after(const Program &program, const ChainTiles &tiles) {
  State out(program);
  for (const ChainStep &step : tiles.steps)
    for (int e = step.begin; e < step.end; ++e) {
      const std::span<const int> cuts = program.loops[static_cast<std::size_t>(step.loop)].cuts;
      const auto block = std::ranges::upper_bound(cuts, e) - cuts.begin() - 1;
      out.run(
          step.loop, e, [](std::size_t) { return true; },
          cuts.empty() ? nullptr : out.record(step.loop, static_cast<int>(block)));
    }
  return out;
}

TEST(MergedLoops, GiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(5);
  constexpr int enough_merged = 40, enough_found = 20; // compilers make other programs of the same numbers
  int merged = 0, found = 0;
  for (unsigned round = 0; round < 1000 && (round < 300 || merged <= enough_merged || found <= enough_found); ++round) {
    const Program program = Maker(round, round % 2 == 0 ? 0.05 : 0.004).program();
    AccessedChain accesses = accesses_of(program);
    const int wanted = 1 + static_cast<int>(random() % 8u), elements = 1 + static_cast<int>(random() % 3u);
    const std::vector<FusedGroup> groups = groups_of(accesses, true);
    const ChainTiles tiles = merged_tiles(program, groups, wanted, elements);
    const std::vector<FusedGroup> careless = groups_of(accesses, false);
    ASSERT_FALSE(find_fault(accesses, merged_tiles(program, groups, wanted, 1 << 30))) << "round " << round;
    for (AccessedLoop &loop : accesses.loops) loop.blocks = {}; // they take turns inside of blocks
    ASSERT_FALSE(find_fault(accesses, tiles)) << "round " << round;
    ASSERT_TRUE(state_after(program, tiles) == loop_after_loop(program)) << "round " << round;
    merged += static_cast<int>(program.loops.size() - groups.size());
    found += find_fault(accesses, merged_tiles(program, careless, wanted, elements)).has_value();
  }
  EXPECT_GT(merged, enough_merged);
  EXPECT_GT(found, enough_found);
}

} // namespace
} // namespace op2::core
