// Chains without memory for their schedules: they are as before, and may try again.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "ending_memory.hpp"
#include "loop/chain/chains.hpp"
#include "prepared_loops.hpp"

namespace op2::core {
namespace {

void add(const double *from, double *left, double *right) {
  *left += *from;
  *right -= *from;
}
void scale(double *value) { *value *= 0.5; }
void keep(const double *value, double *kept) { *kept = *value; }

constexpr Caches tiny = {1, 1};

class ChainMemory : public unit::ChainsTest {
 protected:
  static constexpr int nodes = 4000;

  // Loops that add along edges, and two neighbours that change nodes.
  bool declare(const char *jit) {
    if (!start(jit)) return false;
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, std::min(n + 1, nodes - 1)});
    op_set node = op_decl_set(nodes, "nodes"), edge = op_decl_set(nodes, "edges");
    op_map map = op_decl_map(edge, node, 2, ends.data(), "ends");
    op_dat weight = op_decl_dat(edge, 1, "double", nullptr, "weight"), x = op_decl_dat(node, 1, "double", nullptr, "x"),
           kept = op_decl_dat(node, 1, "double", nullptr, "kept");
    static const op_loop_site adds = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&add), nullptr, "add"),
                              scales = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&scale), nullptr, "scale"),
                              keeps = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&keep), nullptr, "keep");
    const auto direct = [](op_dat dat, op_access access) { return op_arg_dat(dat, -1, OP_ID, 1, "double", access); };
    const auto end = [&](int column) { return op_arg_dat(x, column, map, 1, "double", OP_INC); };
    calls_ = {loops->add(adds, "add", edge, {direct(weight, OP_READ), end(0), end(1)}),
              loops->add(scales, "scale", node, {direct(x, OP_RW)}),
              loops->add(keeps, "keep", node, {direct(x, OP_READ), direct(kept, OP_WRITE)})};
    return true;
  }
  // Calls step(memory) for memory of 0, 1, 2, ... allocations, as long as it returns that memory has ended. Returns how
  // often it has.
  static int with_ever_more_memory(const std::function<bool(long memory)> &step) {
    int ended = 0;
    while (step(ended) && !HasFailure()) ++ended;
    return ended;
  }

  std::vector<ChainCall> calls_;
};

TEST_F(ChainMemory, TilesAreThereAsAWholeOrNotAtAll) {
  if (!declare("off")) GTEST_SKIP() << "executor openmp is not there";
  constexpr double tile_bytes = 10000;
  Chain undisturbed(calls_, tile_bytes, tiny);
  const std::size_t steps = undisturbed.next_tiles()->pieces;
  const int failed = with_ever_more_memory([&](long memory) {
    Chain chain(calls_, tile_bytes, tiny);
    bool ended = false, told = false, there = false;
    try { // what only makes tables shorter may fail
      const unit::EndingMemory ending(memory);
      there = chain.next_tiles()->pieces == steps;
      ended = ending.ended();
    } catch (const std::bad_alloc &) {
      ended = told = true;
    }
    EXPECT_TRUE(told || there) << memory;
    const ChainSchedule *const tiles = chain.next_tiles();
    EXPECT_EQ(steps, tiles ? tiles->pieces : 0) << memory;
    EXPECT_TRUE(tiles && !tiles->groups.empty()) << memory;
    return ended;
  });
  EXPECT_GT(failed, 20);
}

// On threads each block of such a loop has a record of its own, 64 MiB in all at most.
TEST_F(ChainMemory, LoopsWithLargeRecordsRunAsAWhole) {
  if (!declare("off")) GTEST_SKIP() << "executor openmp is not there";
  static const op_loop_site sums = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&keep), nullptr, "keep");
  const op_dat x = calls_[1].call.args[0].dat;
  std::vector<double> sum(1);
  const auto summing = [&](std::size_t values) -> const Loop & {
    sum.resize(values);
    return *loops
                ->add(sums, "sums", calls_[1].call.set,
                      {op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                       op_arg_gbl(sum.data(), static_cast<int>(values), "double", OP_INC)})
                .loop;
  };
  const int blocks = summing(1).prepared().part(0).plan.nblocks;
  ASSERT_GT(blocks, 1);
  const std::size_t most = (std::size_t{64} << 20) / static_cast<std::size_t>(blocks) / sizeof(double);
  EXPECT_EQ("", summing(most).why_not_in_pieces());
  EXPECT_EQ("loop 'sums' reduces too much for a record of each block", summing(most + 1).why_not_in_pieces());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
