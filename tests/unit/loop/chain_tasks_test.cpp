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

// Elements that a task with these segments runs.
int elements_of(const ChainLists &tasks, const op_exec_chain_step &step) {
  const ListedLoop &loop = tasks.loops[static_cast<std::size_t>(step.loop)];
  int out = 0;
  for (int s = step.first; s < step.last; ++s) out += loop.elements(loop.segments[static_cast<std::size_t>(s)]);
  return out;
}

// Of each loop, elements that tasks run which do not wait for copies. None of them waits for a task that does.
std::vector<int> early_elements(const ChainLists &tasks) {
  std::vector<int> out(tasks.loops.size());
  std::vector<char> late(tasks.lists.size());
  for (std::size_t t = 1; t < tasks.lists.size(); ++t) {
    const op_exec_chain_list &task = tasks.lists[t];
    bool waits = false;
    for (int w = task.first_wait; w < task.last_wait; ++w) {
      const int earlier = tasks.waits[static_cast<std::size_t>(w)].list;
      late[t] = late[t] || earlier == 0;
      waits = waits || late[static_cast<std::size_t>(earlier)];
    }
    EXPECT_TRUE(late[t] || !waits) << "task " << t;
    const op_exec_chain_step &step = tasks.steps[static_cast<std::size_t>(task.first_step)];
    if (!late[t]) out[static_cast<std::size_t>(step.loop)] += elements_of(tasks, step);
  }
  return out;
}

// Loops that need copies run late; the verifier, and rows, would show if others met what these make.
TEST(ChainTasks, EarlyOnesNeedNothingThatTravels) {
  std::mt19937 random(23);
  std::int64_t early = 0, apart = 0;
  for (unsigned round = 0; round < 60; ++round) {
    Program program = Maker(round, round % 4 == 0 ? 1.0 : round % 4 == 1 ? 0.1 : 0.004).program();
    for (ChainLoop &loop : program.loops)
      for (Reach &reach : loop.reaches) reach.data = reach.set;
    std::vector<char> needs_copies;
    for (std::size_t l = 0; l < program.loops.size(); ++l) needs_copies.push_back(random() % 4u == 0);
    const int parts = 1 + static_cast<int>(random() % 40u);
    const ChainLists tasks =
        task_chain(program.loops, program.columns,
                   deal_tasks(program.loops, program.rows, equal_borders(parts), {}, needs_copies), 2);
    ASSERT_FALSE(find_fault(accesses_of(program), tasks)) << "round " << round << ", " << parts << " parts";
    Lists run(program, tasks);
    const State state = run.run(random);
    EXPECT_FALSE(run.misled()) << "round " << round;
    ASSERT_TRUE(state == loop_after_loop(program)) << "round " << round << ", " << parts << " parts";
    EXPECT_FALSE(state.torn()) << "round " << round << ", " << parts << " parts";
    const std::vector<int> elements = early_elements(tasks);
    for (std::size_t l = 0; l < elements.size(); ++l) {
      EXPECT_TRUE(!needs_copies[l] || elements[l] == 0) << "round " << round << ", loop " << l;
      early += elements[l];
      apart += elements[l] > 0 && elements[l] < program.loops[l].size;
    }
  }
  EXPECT_GT(early, 50000);
  EXPECT_GT(apart, 5); // loops of which a part is early
}

// Cells in a row, of which the last one gets what a copy brings: with each round two more of them wait for that.
TEST(ChainTasks, WaitForCopiesNearThemOnly) {
  constexpr int cells = 4000, rounds = 5, parts = 10;
  std::vector<int> sides;
  for (int c = 0; c + 1 < cells; ++c) sides.insert(sides.end(), {c, c + 1});
  const int last[] = {cells - 1};
  const auto reach = [](const int *column, int step, int data, bool adds) {
    Reach out{0, column, step, adds, !adds};
    out.data = data;
    return out;
  };
  std::vector<ChainLoop> loops;
  std::vector<ChainColumns> columns;
  std::vector<char> needs_copies;
  for (int k = 0; k < rounds; ++k) {
    loops.push_back({cells - 1,
                     1,
                     {reach(sides.data(), 2, 0, false), reach(sides.data() + 1, 2, 0, false),
                      reach(sides.data(), 2, 1, true), reach(sides.data() + 1, 2, 1, true)},
                     {},
                     ElementRuns::by_rows});
    columns.push_back({{0, 2}, {0, 0}, {0, 1}, {2, 3}});
    loops.push_back({1, 1, {reach(last, 1, 0, false), reach(last, 1, 1, true)}, {}, ElementRuns::by_rows});
    columns.push_back({{0, 1}, {1}, {0}, {1}});
    loops.push_back({cells, 1, {reach(nullptr, 0, 1, false), reach(nullptr, 0, 0, true)}, {}});
    columns.emplace_back();
    needs_copies.insert(needs_copies.end(), {0, 1, 0});
  }
  const std::vector<int> rows = {cells};
  const ChainLists tasks =
      task_chain(loops, columns, deal_tasks(loops, rows, equal_borders(parts), {}, needs_copies), 2);
  const std::vector<int> early = early_elements(tasks);
  for (int k = 0; k < rounds; ++k) {
    EXPECT_EQ(early[static_cast<std::size_t>(3 * k + 1)], 0) << k;
    EXPECT_EQ(early[static_cast<std::size_t>(3 * k + 2)], cells - 1 - 2 * k) << k;
  }
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
