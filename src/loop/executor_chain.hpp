// Parts of loops that the executor runs as one (op_exec_ops_v1.chain_run): on a GPU one after the other, for example as
// one graph of launches. On threads: see chain/threaded.hpp.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "base/trace.hpp"
#include "loop/loop.hpp"

namespace op2::core {

struct ChainPart {
  Loop *loop;
  std::size_t call;                // of the calls that the schedule is for
  int part = 0;                    // of the loop
  std::span<const int> order = {}; // of its elements; empty: by their numbers
};

class ExecutorChain {
 public:
  explicit ExecutorChain(std::vector<ChainPart> parts);
  virtual ~ExecutorChain();
  ExecutorChain(const ExecutorChain &) = delete;
  ExecutorChain &operator=(const ExecutorChain &) = delete;

  // The loops of the calls are open. lanes: of the trace's threads, made when they are needed. After a failure, `at` is
  // the number of the call that failed.
  void run(std::span<const RunningCall> calls, Trace *trace, std::vector<int> &lanes, std::size_t &at);
  std::string form() const; // how the executor runs it, once it has

 protected:
  // Of the run that is under way.
  std::span<const RunningCall> running() const { return running_; }
  std::exception_ptr broken_; // why the run cannot go on, other than what the executor says
  // Which thread ran each list of the last run.
  std::vector<std::int32_t> threads_of_lists() const;
  std::span<const ChainPart> parts() const { return parts_; }

  op_exec_chain_plan plan_{}; // what chain_create gets

 private:
  virtual const op_exec_plan &plan_of(std::size_t part) const;
  // The blocks of the part that run, if the others run in other goes; NULL: all.
  virtual const std::vector<int> *some_blocks(std::size_t) const { return nullptr; }
  virtual bool wants_times() const { return false; } // of the next run
  virtual std::size_t timed_steps() const { return parts_.size(); }
  // times: begin and end of each step.
  virtual void note_times(std::span<const RunningCall> calls, std::span<const double> times, Trace *trace,
                          std::vector<int> &lanes);
  void find_kernels();
  void free_chain();

  const std::vector<ChainPart> parts_;
  Executor *executor_;
  op_exec_chain *chain_ = nullptr;
  std::vector<op_exec_kernel *> kernels_;
  // Of a run.
  std::span<const RunningCall> running_;
  std::vector<std::vector<op_range_arg>> args_;
  std::vector<op_exec_call> calls_;
  std::vector<double> times_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
