// The loops of a chain (op_exec_chain_plan) on threads: the elements of a step, and the partial results of all steps.
// Which thread runs a step, and when, is the executor's own (its chain.cpp).
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "threads.hpp"

struct op_exec_chain_s {
  op_exec_chain_plan plan;
  std::vector<op2::exec_threads::OwnerLayout> owner; // of each loop
  size_t scratch_bytes = 0;                          // of a thread
  std::vector<std::vector<char>> scratch;            // by thread
  std::vector<std::vector<char>> records;            // of each loop, a record for each block
  std::shared_ptr<void> own;                         // what the executor keeps with the chain
};

namespace op2::exec_threads {

// A run of a chain.
class ChainWork {
 public:
  ChainWork(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times);

  const op_exec_chain_plan &plan() const { return plan_; }
  // A step, by its number in the plan.
  void run_step(int32_t number, int thread);
  // After a failure nothing more is to be run.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  ~ChainWork() { exec_->shared_seconds += exec_->host->now() - begin_; }
  ChainWork(const ChainWork &) = delete;
  ChainWork &operator=(const ChainWork &) = delete;
  // When all steps have run: combines partial results. failed: the number of the loop.
  op_status finish(int32_t *failed);

 private:
  const op_exec_reduce *reduce_of(int32_t l) const { return plan_.kernels[l]->signature->reduce; }
  char *record_of(int32_t l, int32_t block) const;
  void make_records(int32_t l);
  void combine(int32_t l) const;
  void run_segments(const op_exec_chain_step &step, int thread);
  char *scratch_of(int thread) const;

  op_exec *exec_;
  const double begin_ = exec_->host->now();
  op_exec_chain &chain_;
  const op_exec_chain_plan &plan_;
  double *times_;
  std::vector<Run> runs_; // of each loop
  std::unique_ptr<FirstFailure[]> failures_;
  std::atomic<bool> failed_{false};
};

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
