// Chains as graphs of tasks: on random meshes with random loops every row ends with the history of loop after loop; and
// tasks wait for nothing but what they need.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "chain_program.hpp"
#include "loop/threads/tasks.hpp"

namespace op2::core {
namespace {

using namespace chain_program;

TEST(ChainTasks, GiveTheBitsOfLoopAfterLoop) {
  std::mt19937 random(17);
  int apart = 0, staged = 0, blocks = 0;
  for (unsigned round = 0; round < 60; ++round) {
    Program program = Maker(round, round % 4 == 0 ? 1.0 : round % 4 == 1 ? 0.1 : 0.004).program();
    for (ChainLoop &loop : program.loops)
      for (Reach &reach : loop.reaches) reach.data = reach.set;
    const int parts = 1 + static_cast<int>(random() % 40u), threads = 1 + static_cast<int>(random() % 4u);
    const ChainLists tasks = task_chain(program.loops, program.columns,
                                        deal_tasks(program.loops, program.rows, equal_borders(parts)), threads);
    ASSERT_FALSE(find_fault(accesses_of(program), tasks)) << "round " << round << ", " << parts << " parts";
    Lists run(program, tasks);
    const State state = run.run(random);
    EXPECT_FALSE(run.misled()) << "round " << round;
    ASSERT_TRUE(state == loop_after_loop(program)) << "round " << round << ", " << parts << " parts";
    EXPECT_FALSE(state.torn()) << "round " << round << ", " << parts << " parts";
    for (const op_exec_chain_list &task : tasks.lists) {
      EXPECT_LT(task.thread, threads);
      apart += parts > 8 && task.last_wait - task.first_wait < parts / 2;
    }
    for (const ListedLoop &loop : tasks.loops) {
      staged += std::ranges::any_of(loop.segments, [](const auto &s) { return s.staged != -1; });
      blocks += std::ranges::any_of(loop.segments, [](const auto &s) { return s.staged != -1 && s.block >= 0; });
    }
  }
  EXPECT_GT(apart, 300); // tasks that do not wait for all others
  EXPECT_GT(staged, 15);
  EXPECT_GT(blocks, 5);
}

// Four loops over 64 rows: C is independent of A, B comes after A, D after B and C.
struct Document {
  enum { A, B, C, D };
  static constexpr int rows = 64, parts = 4;
  Document() {
    const auto loop = [&](std::vector<Reach> reaches) { loops.push_back({rows, 64, std::move(reaches), {}}); };
    loop({write(0)});
    loop({read(0), write(1)});
    loop({write(2)});
    loop({read(1), read(2), write(3)});
    const std::vector<ChainColumns> columns(loops.size());
    const std::vector<int> sets = {rows};
    tasks = task_chain(loops, columns, deal_tasks(loops, sets, equal_borders(parts)), 2);
  }
  static Reach write(int data) {
    Reach out{0, nullptr, 0, true, false};
    out.data = data;
    return out;
  }
  static Reach read(int data) {
    Reach out{0};
    out.data = data;
    return out;
  }
  // The loops, and the parts, of the tasks that the task waits for.
  std::set<std::pair<int, int>> waits_of(int task) const {
    const op_exec_chain_list &list = tasks.lists[static_cast<std::size_t>(task)];
    std::set<std::pair<int, int>> out;
    for (int w = list.first_wait; w < list.last_wait; ++w) {
      const auto earlier = static_cast<std::size_t>(tasks.waits[static_cast<std::size_t>(w)].list);
      out.insert({tasks.steps[earlier].loop, tasks.part[earlier]});
    }
    return out;
  }
  std::vector<ChainLoop> loops;
  ChainLists tasks;
};

TEST(ChainTasks, WaitForRowsOnly) {
  const Document graph;
  ASSERT_EQ(graph.tasks.lists.size(), 4u * Document::parts);
  using Waits = std::set<std::pair<int, int>>;
  for (int t = 0; t < static_cast<int>(graph.tasks.lists.size()); ++t) {
    const int part = graph.tasks.part[static_cast<std::size_t>(t)];
    const Waits wanted[] = {{}, {{Document::A, part}}, {}, {{Document::B, part}, {Document::C, part}}};
    EXPECT_EQ(graph.waits_of(t), wanted[graph.tasks.steps[static_cast<std::size_t>(t)].loop]) << "task " << t;
  }
}

TEST(ChainTasks, BordersDivideTheCost) {
  const std::vector<double> even = equal_borders(4);
  const std::vector<double> cost = {1, 1, 1, 5};
  EXPECT_EQ(borders_of_equal_cost(even, std::vector<double>{2, 2, 2, 2}, 4), even);
  const std::vector<double> found = borders_of_equal_cost(even, cost, 4);
  const std::vector<double> wanted = {0, 0.5, 0.8, 0.9, 1}; // each part costs 2
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t b = 0; b < wanted.size(); ++b) EXPECT_NEAR(found[b], wanted[b], 1e-12) << b;
}

} // namespace
} // namespace op2::core
// SPDX-License-Identifier: MIT
