// Performs the steps of a loop's schedule, run after run.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/form/shared_variables.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/prepared.hpp"
#include "loop/reduce/later_reductions.hpp"
#include "loop/schedule.hpp"

namespace op2::core {

struct ElementRange {
  int begin, end;
};

class LoopRun {
 public:
  // The arguments must outlive the object.
  LoopRun(Mesh &mesh, const LoopSignature &what, const Reduction &reduction, std::span<const LoopPart> parts,
          LoopExchange &exchange);
  LoopRun(const LoopRun &) = delete;
  LoopRun &operator=(const LoopRun &) = delete;

  // Later runs use this form, which must outlive them.
  void take(const PreparedLoop &how);
  // An error poisons the context if some element may have run, on any process.
  // Measures how long the elements of a run take, without exchanges and reductions. seconds(): of the last such run.
  void time_elements(bool timed) {
    timed_ = timed;
    if (timed) seconds_ = 0;
  }
  double seconds() const { return seconds_; }
  // While it is open, results go there.
  void reduce_later(LaterReductions *later) { later_ = later; }
  void execute(const Schedule &schedule, const LoopCall &call, LoopStats &stats);
  // The same in pieces of the loop's parts, without exchanges: see Loop. Openings count from 0. Pieces of a loop that
  // reduces end where blocks of the part's plan do.
  void begin_pieces(int opening, const LoopCall &call);
  void run_piece(int opening, const LoopCall &call, int part, std::span<const ElementRange> ranges);
  void sum_pieces(int opening); // of loops with several parts: their results become one
  void note_pieces();           // what the loop has changed
  void end_pieces(int opening, const LoopCall &call);
  // The same by the executor (op_exec_ops_v1.chain_run): the call of all pieces of a part, whose arguments are put into
  // `args`; how long they took; and what to do when they fail.
  op_exec_call call_of_pieces(int opening, const LoopCall &call, int part, std::vector<op_range_arg> &args);
  bool timed() const { return timed_; }
  void took(double seconds) { seconds_ += seconds; }
  void fail(Error &error);
  // The exchange of a loop in pieces: find_copies() before begin_pieces(); pieces of any loop that need no copies run
  // between start_copies() and finish_copies(), and move_copies() between them. send_copies() waits for what the
  // executor packs, and for nothing else. Collective.
  void find_copies(LoopStats &stats);
  bool awaits_copies() const { return exchange_.coming(); } // some are still to be sent
  void start_copies();
  void send_copies();
  void move_copies();
  void finish_copies(LoopStats &stats);

 private:
  void perform(const Step &step, const LoopCall &call, LoopStats &stats);
  void agree();
  void make_ready(const LoopCall &call, ReductionRun &reduced);
  void run_part(int number);
  void run_elements(const PreparedLoop::Part &part);
  void run_ranges(int opening, int number, std::span<const ElementRange> ranges);
  void run_in_runs(const PreparedLoop::Part &part);
  void run_blocks(int opening, int number, ElementRange range);
  void run_block(const PreparedLoop::Part &part, ReductionRun &reduced, int begin, int end);
  std::vector<char> &part_sums(int opening, int number) {
    return part_sums_[static_cast<std::size_t>(opening) * parts_.size() + static_cast<std::size_t>(number)];
  }
  template <class Body>
  void poisoning(const Body &body);
  void reduce(std::span<const op_arg> args, ReductionRun &reduced);
  void note();
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
  bool ready_ = false;                       // elements may have run
};

} // namespace op2::core
