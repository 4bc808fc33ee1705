// A chain on the threads of an executor: the work lists of threads/lists.hpp in the form of op_exec_chain_plan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loop/executor_chain.hpp"
#include "loop/threads/lists.hpp"

namespace op2::core {

class ThreadedChain : public ExecutorChain {
 public:
  // parts: each is a loop of its own to the executor. dealt: a part for each thread. described, and the orders of
  // loops' parts, outlive the object.
  ThreadedChain(std::vector<ChainPart> parts, std::span<const ChainLoop> described, const ChainTiles &tiles,
                const ChainParts &dealt);

  const ChainLists &lists() const { return lists_; }
  // "2 threads of which the longest has 1.010 of its share, ". longest: of these loops and others of their chain.
  static std::string text(int threads, double longest);
  std::string text() const { return text(threads_, lists_.longest); }
  int threads() const { return threads_; }

 private:
  const op_exec_plan &plan_of(std::size_t part) const override { return plans_[part]; }
  std::size_t timed_steps() const override { return lists_.steps.size(); }
  void note_times(std::span<const RunningCall> calls, std::span<const double> times, Trace *trace,
                  std::vector<int> &lanes) override;
  void show_steps(std::span<const double> times, Trace &trace, std::vector<int> &lanes);

  ChainLists lists_;
  int threads_;
  std::vector<int> part_offset_; // of each part: 0, segments
  std::vector<int> block_offset_;
  std::vector<op_exec_plan> plans_;
  std::vector<const op_exec_plan *> plan_of_;             // of each part, as op_exec_chain_plan has them
  std::vector<std::vector<const TraceSubject *>> traced_; // by thread and part
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
