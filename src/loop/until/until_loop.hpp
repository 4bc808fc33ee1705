// A loop that stops early (op2/until.h): its elements in stages, by the program's order. After each stage all threads
// and processes agree on the least element that has said stop; what elements behind it have done is dropped.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/trace.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/until/dependence.hpp"
#include "loop/until/element_records.hpp"
#include "loop/until/exit.hpp"
#include "loop/until/post_wait.hpp"
#include "loop/until/written_rows.hpp"

namespace op2::core {

struct UntilOptions {
  bool ordered = false; // OP2_UNTIL: elements may read what earlier ones have written
  int block_size = 0;   // elements of a block; 0 = automatic
  ExchangeOptions exchange;
  Trace *trace = nullptr; // NULL = none
};

class UntilLoop {
 public:
  // In the call the argument `stop` is an int that the kernel sets. The mesh and the exchanges must outlive the object.
  // Collective.
  UntilLoop(Mesh &mesh, HaloExchanges &exchanges, StatsTable &stats, const LoopCall &call, int stop,
            const UntilOptions &options);
  UntilLoop(const UntilLoop &) = delete;
  UntilLoop &operator=(const UntilLoop &) = delete;

  bool matches(const LoopCall &call, int stop) const { return stop == static_cast<int>(stop_) && what_.matches(call); }
  // No set, map or dat of the loop has changed since its preparation.
  bool valid() const { return what_.revision() == revision_; }
  // Collective. Returns the number of the element that stopped, -1 if none has.
  std::int64_t run(const LoopCall &call);

 private:
  // How elements run. apart: on private copies, at the same time. in_place: one after another, or by PostWait, on the
  // rows themselves, whose old values are kept for a stage. in_turns: one process after another.
  enum class Way { apart, in_place, in_turns };
  struct Turn { // consecutive elements of one process
    std::int64_t first, count;
    int rank;
  };
  Way choose_way(const UntilOptions &options) const;
  bool checked() const; // the executor looks at each element
  void put_in_order();
  void cut(int block_size);
  void share_out_turns();
  void make_kernel();
  LoopSignature agreed(const LoopCall &call, int stop, const UntilOptions &options) const;
  std::vector<LoopArg> args_to_exchange() const;

  void begin(const LoopCall &call);
  void run_in_stages();
  void compute(int stage);
  static void run_on_thread(const op_range_ctx *ctx, int begin, int end);
  void run_block(int begin, int end);
  void run_element(std::span<op_range_arg> args, int position, char *slot);
  void look_and_run(std::span<op_range_arg> args, int element, char *record);
  void note(int position, std::exception_ptr failure);
  // Twice the number of the first element that has said something, odd if it has failed.
  std::int64_t said_by_least() const {
    return 2 * numbers_.of(order_[static_cast<std::size_t>(least_)]) + (failure_ ? 1 : 0);
  }
  bool agree(int stage);
  [[noreturn]] void give_up(bool mine);
  void commit(int stage);
  void undo(int stage);
  void run_in_turns(const LoopCall &call);
  void take_turn(const Turn &turn, std::string &message);
  void add_rows(int element, std::string &message) const;
  void take_rows(std::string_view message) const;
  void pass_on(const Turn &turn, const LoopCall &call, const std::string &rows);

  bool several() const { return mesh_.several(); }
  bool owns(int position) const { return order_[static_cast<std::size_t>(position)] < what_.set.size; }
  int first(int stage) const { return stage == 0 ? 0 : ends_[static_cast<std::size_t>(stage) - 1]; }
  int end(int stage) const { return ends_[static_cast<std::size_t>(stage)]; }
  char *slot(int position) { return reinterpret_cast<char *>(slots_.data()) + slot_bytes_ * slot_number(position); }
  std::size_t slot_number(int position) const { return static_cast<std::size_t>(position - first(stage_)); }

  Mesh &mesh_;
  const UntilOptions options_;
  const std::size_t stop_; // position of its argument
  const LoopSignature what_;
  const Revision revision_;
  ElementRecords records_;
  LoopDescription described_;
  LoopExchange exchange_;
  WrittenRows rows_;
  const Way way_;
  LoopStats &stats_;
  const TraceSubject *traced_ = nullptr;
  const ElementNumbers numbers_;
  std::vector<int> order_; // elements that run here, with copies of those of others that write rows of this process
  std::vector<int> ends_;  // of the stages, positions in order_
  int block_size_ = 256;
  std::size_t slot_bytes_;
  std::vector<Turn> turns_;
  std::vector<std::unordered_map<std::int64_t, int>> places_; // in_turns: of written rows, by global number
  std::optional<PostWait> post_wait_;   // in_place on threads
  std::optional<DependenceTest> dependence_;
  // The executor's threads run blocks as elements of this kernel, whose argument is the loop; NULL: the caller does.
  op_exec_arg kernel_arg_{};
  op_exec_arg_names kernel_names_{};
  op_exec_signature kernel_signature_{};
  std::optional<Kernel> kernel_; // or, on an executor that looks at elements, the program's own
  bool threads_ = false;
  // Of the current run.
  std::vector<op_range_arg> ranges_;
  std::vector<std::max_align_t> slots_;
  std::vector<char> ran_; // in_place: slots of elements that have run
  int stage_ = 0;
  bool changed_ = false; // rows or variables
  Exit exit_;
  std::atomic<int> next_ = 0;  // block of the stage that no thread has taken
  std::atomic<int> least_ = 0; // position of the first element here that has said stop or failed, else behind the stage
  std::mutex failing_;
  std::exception_ptr failure_; // of that element
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
