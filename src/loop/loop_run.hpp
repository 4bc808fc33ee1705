// Performs the steps of one loop, run after run.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "loop/form/shared_variables.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/prepared.hpp"
#include "loop/reduce/later_reductions.hpp"
#include "loop/stats/work.hpp"
#include "loop/step.hpp"

namespace op2::core {

class LoopRun {
 public:
  // The arguments must outlive the object.
  LoopRun(Mesh &mesh, const LoopSignature &what, const Reduction &reduction, std::span<const LoopPart> parts,
          LoopExchange &exchange);
  LoopRun(const LoopRun &) = delete;
  LoopRun &operator=(const LoopRun &) = delete;

  // Later runs use this form, which must outlive them.
  void take(const PreparedLoop &how);
  // Measures how long the elements of a run take, without exchanges and reductions. seconds(): of the last such run.
  void time_elements(bool timed) {
    timed_ = timed;
    if (timed) seconds_ = 0;
  }
  bool timed() const { return timed_; }
  void add_seconds(double seconds) { seconds_ += seconds; }
  // Later runs of whole parts tell the time of each piece of them; NULL = no longer.
  void measure_pieces(LoopWork *work) { pieces_ = work; }
  bool has_pieces(int part) const; // whether such a part can run in pieces
  double seconds() const { return seconds_; }
  // While it is open, results go there.
  void reduce_later(LaterReductions *later) { later_ = later; }

  // All steps of a schedule of this loop alone. An error poisons the context if some element may have run, on any
  // process.
  void execute(const Schedule &schedule, const LoopCall &call, LoopStats &stats);
  // The same step by step: begin(), then steps. A loop in pieces may be open for several calls, whose openings count
  // from 0; pieces of a loop that reduces end where blocks of the part's plan do. After an error of a step: fail().
  void begin() { agreed_ = bound_ = false; }
  void perform(const Step &step, int opening, const LoopCall &call, LoopStats &stats);
  void fail(Error &error);
  // The call of all pieces of a part, for an executor that runs them in a chain (op_exec_ops_v1.chain_run); its
  // arguments are put into `args`.
  op_exec_call call_of_pieces(int opening, const LoopCall &call, int part, std::vector<op_range_arg> &args);
  // Where the executor puts what these blocks of a part reduce, if it runs the elements in several goes.
  char *collect_blocks(int opening, int part, std::span<const int> blocks) {
    if (!parts_[static_cast<std::size_t>(part)].own) return part_sums(opening, part).data(); // nobody needs it
    return reduced_in(opening).collect(static_cast<std::size_t>(part), blocks);
  }
  // In place of Do::wait_messages, without waiting: false if they have not all come.
  bool take_messages(LoopStats &stats);
  bool awaits_messages() const { return exchange_.coming(); } // some are still to be sent

 private:
  void agree();
  void bind(const LoopCall &call, ReductionRun &reduced);
  void open(int opening, const LoopCall &call);
  void advance();
  void run_piece(const Step &step, int opening, const LoopCall &call);
  void sum(int opening);
  void run_part(int number);
  void run_range(const Step &step, int opening);
  void run_in_runs(const PreparedLoop::Part &part);
  void run_measured(int number);
  void run_blocks(const Step &step, int opening);
  void run_blocks_together(const Step &step, ReductionRun &reduced);
  void run_block(const PreparedLoop::Part &part, ReductionRun &reduced, int begin, int end);
  std::vector<char> &part_sums(int opening, int number) {
    return part_sums_[static_cast<std::size_t>(opening) * parts_.size() + static_cast<std::size_t>(number)];
  }
  void reduce(std::span<const op_arg> args, ReductionRun &reduced);
  void mark_written();
  ReductionRun &reduced_in(int opening) {
    return opening == 0 ? reduced_ : *more_reduced_[static_cast<std::size_t>(opening) - 1];
  }

  Mesh &mesh_;
  const LoopSignature &what_;
  const Reduction &reduction_;
  std::span<const LoopPart> parts_;
  LoopExchange &exchange_;
  const PreparedLoop *how_ = nullptr;
  bool on_executor_ = false;
  bool timed_ = false;
  double seconds_ = 0;
  double seconds_of_element_ = 0; // in the last run that was measured in pieces
  LoopWork *pieces_ = nullptr;
  std::vector<char> use_in_layout_, arg_in_layout_; // the code uses the copy in the dat's layout
  // Of the current run.
  op_exec_call call_{};
  std::vector<op_range_arg> ranges_;
  ReductionRun reduced_;
  std::vector<std::unique_ptr<ReductionRun>> more_reduced_; // while the loop is open several times
  SharedVariables shared_;
  LaterReductions *later_ = nullptr;
  std::vector<char> part_result_;
  std::vector<std::vector<char>> part_sums_; // of a loop in pieces that has several parts: by opening and part
  bool agreed_ = false;                      // all processes passed Do::agree, so the others run their elements
  bool bound_ = false;                       // elements may have run
};

// Calls body(); every exception that leaves it becomes an Error, for which failed(error) is called.
template <class Body, class Failed>
void with_errors(const Body &body, const Failed &failed) {
  try {
    body();
  } catch (Error &error) {
    failed(error);
    throw;
  } catch (const std::bad_alloc &) {
    Error error(OP_ERR_MEMORY, "out of memory");
    failed(error);
    throw error;
  } catch (const std::exception &thrown) { // of the program's own function, that combines results
    Error error(OP_ERR_KERNEL, text("a reduction threw an exception: ", thrown.what()));
    failed(error);
    throw error;
  } catch (...) {
    Error error(OP_ERR_KERNEL, "a reduction threw an exception");
    failed(error);
    throw error;
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
