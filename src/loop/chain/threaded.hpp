// A chain on the threads of an executor: work lists (threads/lists.hpp), or tasks (threads/tasks.hpp), in the form of
// op_exec_chain_plan.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "loop/executor_chain.hpp"
#include "loop/threads/lists.hpp"

namespace op2::core {

// The columns of a part's owner plan, as reaches of the loop.
ChainColumns columns_of(const ChainPart &part, const ChainLoop &described);

class ThreadedChain : public ExecutorChain {
 public:
  // parts: each is a loop of its own to the executor. make: the lists of these loops, whose columns it gets; if they
  // await copies, a run takes the messages of the first loop. described, and the orders of loops' parts, outlive the
  // object.
  using MakeLists = std::function<ChainLists(std::span<const ChainColumns> columns)>;
  ThreadedChain(std::vector<ChainPart> parts, std::span<const ChainLoop> described, int threads, const MakeLists &make);

  const ChainLists &lists() const { return lists_; }
  // "2 threads of which the longest has 1.010 of its share, ". longest: of these loops and others of their chain.
  static std::string text(int threads, double longest);
  std::string text() const { return text(threads_, lists_.longest); }
  int threads() const { return threads_; }
  // What each part of rows has cost in a run, in seconds: all of its tasks together. Empty: not measured yet.
  std::span<const double> cost() const { return cost_; }

 private:
  static constexpr int first_runs = 1; // in which caches and pages are cold
  const std::vector<int> *some_blocks(std::size_t part) const override {
    return lists_.loops[part].some_blocks ? &lists_.loops[part].blocks : nullptr;
  }
  bool wants_times() const override { return !lists_.part.empty() && cost_.empty() && ++runs_ > first_runs; }
  const op_exec_plan &plan_of(std::size_t part) const override { return plans_[part]; }
  std::size_t timed_steps() const override { return lists_.steps.size(); }
  void note_times(std::span<const RunningCall> calls, std::span<const double> times, Trace *trace,
                  std::vector<int> &lanes) override;
  static std::int32_t await(void *chain);
  void show_steps(std::span<const double> times, Trace &trace, std::vector<int> &lanes);

  ChainLists lists_;
  int threads_;
  std::vector<double> cost_;
  mutable int runs_ = 0;
  std::vector<int> part_offset_; // of each part: 0, segments
  std::vector<int> block_offset_;
  std::vector<op_exec_plan> plans_;
  std::vector<const op_exec_plan *> plan_of_;             // of each part, as op_exec_chain_plan has them
  std::vector<std::vector<const TraceSubject *>> traced_; // by thread and part
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
