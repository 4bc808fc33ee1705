// The schedule of a chain as a graph of tasks: which task runs which elements, and which tasks it waits for.
//
// The rows of each set are in parts. A task is what one part runs of one loop: the elements whose rows are in the part.
// Loops that add to rows through maps are dealt out by rows: a task runs all elements that change rows of its part, in
// ascending order, and keeps the changes of these rows only (see plan/owner.hpp). So tasks of one loop do not wait for
// each other. A task waits for the tasks of earlier loops that wrote rows it touches, or that read rows it writes, and
// for nothing else. Whatever the parts, results are those of loop after loop.
#pragma once

#include <span>
#include <vector>

#include "loop/threads/lists.hpp"
#include "loop/threads/parts.hpp"

namespace op2::core {

inline constexpr int most_task_parts = 2048;

struct TaskParts {
  ChainParts dealt;                             // `parts` lists, no borders
  std::vector<std::vector<std::uint16_t>> part; // of each row, by set
  bool awaits = false;                          // copies: lists `parts` and on are the late ones
  int lists() const { return awaits ? 2 * dealt.parts : dealt.parts; }
};

// borders: where parts begin and, last, where they end, in the costliest set, as shares of 1. rows, in_order: as in
// part_chain(). needs_copies: of each loop, whether its elements reach copies that are on their way; empty: there are
// none.
TaskParts deal_tasks(std::span<const ChainLoop> loops, std::span<const int> rows, std::span<const double> borders,
                     std::span<const int> in_order = {}, std::span<const char> needs_copies = {});
std::vector<double> equal_borders(int parts);
// Borders between which parts cost the same, from those that parts had and what each cost.
std::vector<double> borders_of_equal_cost(std::span<const double> borders, std::span<const double> cost, int parts);

// The graph: a list of one step for each task, in the order of the loops, behind the one that stands for copies that
// travel; a thread gets parts that follow each other.
// columns: of each loop.
ChainLists task_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const TaskParts &parts,
                      int threads);

} // namespace op2::core
// SPDX-License-Identifier: MIT
