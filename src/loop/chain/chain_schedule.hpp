// The schedule of a chain in tiles, phase by phase (threads/phases.hpp): on the threads of the executor a group for
// each phase, else piece by piece. On executors with tasks: one group, a graph of tasks (threads/tasks.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/threaded.hpp"
#include "loop/threads/phases.hpp"
#include "loop/tiles/borders.hpp"
#include "loop/tiles/segments.hpp"

namespace op2::core {

struct ChainSchedule {
  Schedule schedule;
  std::vector<std::unique_ptr<ExecutorChain>> groups; // of its steps: a ThreadedChain for each phase; empty: no threads
  int tiles = 0;                                      // of the phase that has most; parts of the rows for tasks
  bool tasks = false;
  std::size_t pieces = 0;
  double bytes = 0;   // that it takes
  double longest = 1; // work of the threads that have most, relative to equal shares
  int threads = 0;

  std::string text() const;             // "20 tiles, 800 pieces", "64 parts, 576 tasks"
  std::span<const double> cost() const; // of tasks: of each part in a run, in seconds; empty: not measured yet
  std::string threads_text() const;     // "2 threads of which the longest has 1.010 of its share, "; "" without threads
};

// What a schedule is made from. described: of the loops; tables: kept for other tiles of the same chain.
struct ChainToSchedule {
  std::span<Loop *const> loops;
  std::span<const ChainLoop> described;
  std::span<const int> rows;
  ReachTables &tables;
};

// So many tiles of these loops of the chain.
ChainTiles tiles_of(std::span<const ChainLoop> loops, const ChainToSchedule &chain, int wanted);
// Steps at the end of a schedule: what all calls have written, and the end of each call.
void close_calls(Schedule &schedule, std::size_t calls);

// Piece by piece.
ChainSchedule schedule_chain(const ChainToSchedule &chain, int tiles);
// On threads. tiles: of each phase. What `chain` points to outlives the result.
ChainSchedule schedule_chain(const ChainToSchedule &chain, std::span<const ChainPhase> phases,
                             std::span<const int> tiles, int threads);
// Tasks. borders: of the parts, as deal_tasks() has them.
ChainSchedule schedule_tasks(const ChainToSchedule &chain, std::span<const double> borders, int threads);

} // namespace op2::core

// SPDX-License-Identifier: MIT
