// A chain on the threads of an executor: the schedule of lists.hpp in the form of op_exec_chain_plan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/trace.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/lists.hpp"

namespace op2::core {

// A part of a loop, which is a loop of its own to the executor.
struct ThreadedPart {
  Loop *loop;
  std::size_t call;           // of the chain
  int part = 0;               // of the loop
  std::span<const int> order; // of its elements; empty: by their numbers
};

class ThreadedChain {
 public:
  // dealt: a part for each thread. described, and the orders of loops' parts, outlive the object.
  ThreadedChain(std::vector<ThreadedPart> parts, std::span<const ChainLoop> described, const ChainTiles &tiles,
                const ChainParts &dealt);
  ~ThreadedChain();
  ThreadedChain(const ThreadedChain &) = delete;
  ThreadedChain &operator=(const ThreadedChain &) = delete;

  // All pieces of loops that begin_pieces() has opened for these calls, with these numbers. After a failure, `at` is
  // the number of the call. lanes: of the trace's threads, made when they are needed.
  void run(std::span<const ChainCall> calls, std::span<const int> openings, Trace *trace, std::vector<int> &lanes,
           std::size_t &at);
  const ChainLists &schedule() const { return lists_; }
  // "2 threads of which the longest has 1.010 of its share, ". longest: of these loops and others of their chain.
  std::string text(double longest) const;
  std::string text() const { return text(lists_.longest); }

 private:
  void find_kernels();
  void give_up_chain();
  void note_times(Trace *trace, std::vector<int> &lanes);
  void show_steps(Trace &trace, std::vector<int> &lanes);

  const std::vector<ThreadedPart> parts_;
  ChainLists lists_;
  int threads_;
  std::vector<int> part_offset_; // of each part: 0, segments
  std::vector<int> block_offset_;
  std::vector<op_exec_plan> plans_;
  std::vector<const op_exec_plan *> plan_of_;
  std::vector<op_exec_kernel *> kernels_;
  op_exec_chain_plan plan_{};
  Executor *executor_ = nullptr;
  op_exec_chain *chain_ = nullptr;
  // Of a run.
  std::vector<std::vector<op_range_arg>> args_;
  std::vector<op_exec_call> calls_;
  std::vector<double> times_;                             // of each step: begin, end
  std::vector<std::vector<const TraceSubject *>> traced_; // by thread and part
};

} // namespace op2::core
