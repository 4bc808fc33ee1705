// A chain on the threads of an executor: the schedule of lists.hpp in the form of op_exec_chain_plan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/trace.hpp"
#include "loop/chain/ahead.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/lists.hpp"

namespace op2::core {

class ThreadedChain {
 public:
  ThreadedChain(std::span<Loop *const> loops, std::span<const ChainLoop> described, std::span<const int> rows,
                const ChainTiles &tiles, int threads);
  ~ThreadedChain();
  ThreadedChain(const ThreadedChain &) = delete;
  ThreadedChain &operator=(const ThreadedChain &) = delete;

  // All pieces of loops that begin_pieces() has opened, with these numbers. After a failure, `at` is the number of the
  // loop. lanes: of the trace's threads, made when they are needed. ahead: what lists ask for, or NULL.
  void run(std::span<const ChainCall> calls, std::span<const int> openings, AheadOfTiles *ahead, Trace *trace,
           std::vector<int> &lanes, std::size_t &at);
  const ChainLists &schedule() const { return lists_; }
  std::string text() const; // "2 threads of which the longest has 1.01 of its share, "

 private:
  static void before_step(void *chain, std::int32_t list, std::int32_t step);
  void find_kernels();
  void give_up_chain();
  void note_times(std::span<const ChainCall> calls, Trace *trace, std::vector<int> &lanes);
  void show_steps(Trace &trace, std::vector<int> &lanes);

  std::vector<Loop *> loops_;
  ChainLists lists_;
  int threads_;
  std::vector<int> part_offset_; // of each loop: 0, segments
  std::vector<int> block_offset_;
  std::vector<op_exec_plan> plans_;
  std::vector<const op_exec_plan *> plan_of_;
  std::vector<op_exec_kernel *> kernels_;
  op_exec_chain_plan plan_{};
  Executor *executor_ = nullptr;
  op_exec_chain *chain_ = nullptr;
  AheadOfTiles *ahead_ = nullptr; // of the present run
  // Of a run.
  std::vector<std::vector<op_range_arg>> args_;
  std::vector<op_exec_call> calls_;
  std::vector<double> times_;                             // of each step: begin, end
  std::vector<std::vector<const TraceSubject *>> traced_; // by thread and loop
};

} // namespace op2::core
