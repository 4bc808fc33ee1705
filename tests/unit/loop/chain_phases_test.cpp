// Chains on more threads than their mesh has room for, cut into phases: the bits of loop after loop, and even work.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "chain_program.hpp"
#include "loop/threads/phases.hpp"
#include "loop/verify/fault_text.hpp"

namespace op2::core {
namespace {

using namespace chain_program;

// The schedule of a phase; its loops have numbers of their own.
struct PhaseLists {
  PhaseLists(const Program &program, const ChainPhase &phase, int tiles) {
    const std::size_t count = phase.last - phase.first;
    const std::span<const ChainLoop> loops = std::span(program.loops).subspan(phase.first, count);
    lists = list_chain(loops, std::span(program.columns).subspan(phase.first, count),
                       tile_chain(loops, program.rows, tiles), phase.parts);
    accesses = accesses_of(program);
    accesses.loops.erase(accesses.loops.begin() + static_cast<std::ptrdiff_t>(phase.last), accesses.loops.end());
    accesses.loops.erase(accesses.loops.begin(), accesses.loops.begin() + static_cast<std::ptrdiff_t>(phase.first));
  }
  ChainLists lists;
  AccessedChain accesses;
};

// All phases, one after the other, against loop after loop.
void expect_same_bits(const Program &program, std::span<const ChainPhase> phases, std::mt19937 &random,
                      const std::string &what) {
  std::optional<State> state(program);
  std::size_t next = 0;
  for (const ChainPhase &phase : phases) {
    ASSERT_EQ(next, phase.first) << what;
    ASSERT_LT(phase.first, phase.last) << what;
    next = phase.last;
    PhaseLists of(program, phase, 1 + static_cast<int>(random() % 12u));
    ASSERT_FALSE(find_fault(of.accesses, of.lists)) << what;
    Lists run(program, of.lists, phase.first, std::move(*state));
    state.emplace(run.run(random));
    EXPECT_FALSE(run.misled()) << what;
  }
  ASSERT_EQ(program.loops.size(), next) << what;
  EXPECT_TRUE(*state == loop_after_loop(program)) << what;
  EXPECT_FALSE(state->torn()) << what;
}

TEST(ChainPhases, ManyThreadsGiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(17);
  int cut = 0, whole = 0, longer = 0;
  for (unsigned round = 0; round < 100; ++round) {
    const Program program = Maker(round, round % 4 == 0 ? 1.0 : round % 4 == 1 ? 0.02 : 0.004).program();
    const int parts = round % 2 == 0 ? 8 : 16;
    const double most = round % 3 == 0 ? 2.0 : most_uneven_phase;
    const std::vector<ChainPhase> phases = phase_chain(program.loops, program.rows, parts, most);
    for (const ChainPhase &phase : phases)
      EXPECT_TRUE(phase.last - phase.first == 1 || phase.parts.longest() <= most) << "round " << round;
    expect_same_bits(program, phases, random, "round " + std::to_string(round));
    cut += phases.size() > 1;
    whole += phases.size() == 1;
    longer += std::ranges::any_of(phases, [](const ChainPhase &phase) { return phase.last - phase.first > 1; });
  }
  EXPECT_GT(cut, 50);
  EXPECT_GT(whole, 5);
  EXPECT_GT(longer, 25);
}

// A box has so few layers of cubes for each thread that borders meet after a loop or two.
TEST(ChainPhases, ThreadsHaveEvenWorkInBoxes) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 2; ++round) {
    const int parts = round % 2 == 0 ? 6 : 8;
    const Program program = box(5 * parts + 2 * static_cast<int>(round), round);
    const ChainParts whole = part_chain(program.loops, program.rows, parts);
    EXPECT_GT(whole.longest(), 2) << "round " << round; // or there would be nothing to do
    const std::vector<ChainPhase> phases = phase_chain(program.loops, program.rows, parts, most_uneven_phase);
    double all = 0, of_thread = 0;
    for (const ChainPhase &phase : phases) {
      double most = 0;
      const ChainParts &dealt = phase.parts;
      for (int p = 0; p < parts; ++p) {
        const double behind = p + 1 < parts ? dealt.work[static_cast<std::size_t>(dealt.border(p))] : 0;
        most = std::max(most, dealt.work[static_cast<std::size_t>(p)] + behind);
      }
      of_thread += most + dealt.work[static_cast<std::size_t>(dealt.rest())];
      for (const double work : dealt.work) all += work;
    }
    EXPECT_LT(of_thread * parts, 1.1 * all) << "round " << round;
    EXPECT_NEAR(longest_of(phases), of_thread * parts / all, 1e-12) << "round " << round;
    EXPECT_GT(phases.size(), 1u) << "round " << round;
    EXPECT_LE(phases.size(), program.loops.size() / 2) << "round " << round;
    expect_same_bits(program, phases, random, "round " + std::to_string(round));
  }
}

TEST(ChainPhases, AChainThatIsEvenStaysWhole) {
  const Program program = box(24, 1);
  for (const int parts : {1, 2}) {
    const std::vector<ChainPhase> phases = phase_chain(program.loops, program.rows, parts, most_uneven_phase);
    ASSERT_EQ(1u, phases.size()) << parts;
    EXPECT_EQ(part_chain(program.loops, program.rows, parts).longest(), longest_of(phases)) << parts;
  }
  EXPECT_TRUE(phase_chain({}, program.rows, 4, most_uneven_phase).empty());
  int asked = 0;
  const auto count = [&] { return ++asked < 0; };
  EXPECT_FALSE(phase_chain(program.loops, program.rows, 4, most_uneven_phase, {}, count).empty());
  EXPECT_GT(asked, 0);
  EXPECT_TRUE(phase_chain(program.loops, program.rows, 4, most_uneven_phase, {}, [] { return true; }).empty());
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
