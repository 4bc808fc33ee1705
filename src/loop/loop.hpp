// A loop of the program: what it is, how it runs and when, prepared at the first call with its signature; later calls
// reuse the preparation.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/trace.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/loop_run.hpp"
#include "loop/prepared.hpp"
#include "loop/reduce/reduce.hpp"
#include "loop/schedule.hpp"
#include "loop/signature/signature.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

// How a loop of a chain runs with several processes (layers/layers.hpp).
struct LoopLayers {
  std::vector<LoopPart> parts;      // empty: as without the chain
  std::vector<CopiesWanted> wanted; // by the whole chain, whose first loop this is; else empty
  int last = 0;                     // elements before this one run
};

class Loop {
 public:
  // Checks the arguments (throws an Error naming the argument), asks the executor for a kernel and builds its plan. All
  // referenced arguments and the provider of code must outlive the loop. Collective.
  Loop(Mesh &mesh, PlanCache &plans, PlanCache &mesh_plans, HaloExchanges &exchanges, StatsTable &stats,
       const LoopCall &call, const LoopOptions &options, const LoopLayers *layers = nullptr);
  Loop(const Loop &) = delete;
  Loop &operator=(const Loop &) = delete;

  bool matches(const LoopCall &call) const { return what_.matches(call); }
  // No set, map or dat of the loop has changed since its preparation; otherwise it must not run again.
  bool valid() const { return what_.revision() == revision_; }
  // Before each run: throws if a dat is freed or acquired, and adopts new code and plans. A failure changes nothing.
  void make_current(const LoopCall &call) {
    what_.need_dats();
    if (what_.set.resized != resized_) [[unlikely]]
      follow_particles();
    if (map_rewritten_) [[unlikely]]
      follow_map();
    if (how_->outdated() || how_->plans_open()) [[unlikely]]
      change(call);
  }
  // Rows of its maps lead elsewhere: the loop takes other plans before its next run.
  void note_rewritten() { map_rewritten_ = true; }
  void run(const LoopCall &call) {
    if (how_->rechecks()) [[unlikely]]
      how_->recheck(call, stats_->calls > 0 ? stats_->seconds / static_cast<double>(stats_->calls) : 0);
    if (work_ && begin_work()) [[unlikely]]
      return run_measured(call);
    if (how_->tunes() && many()) [[unlikely]]
      return run_tuned(call);
    if (work_) return run_measured(call);
    run_.execute(when_, call, *stats_);
  }

  // The same in pieces, between those of other loops (interpreter.hpp): open(), steps that together run all elements,
  // each once, close(). A loop may be open for several calls: open() returns the number of the opening; openings are
  // closed in the order of their numbers. After a failure, abandon() ends all.
  bool ends_chain() const; // it changes a variable of the program, who may look at it
  bool may_reduce_later() const {
    return !ends_chain() && !reduction_.needs_order();
  }                                                 // nobody looks before the chain's end
  std::string why_not_in_pieces() const;            // "" = it can
  bool reduces_too_much_for_blocks(int part) const; // on threads each block has a record of its own
  std::string why_not_whole() const;                // in a chain of the executor (executor_chain.hpp), "" = it can be
  int open(const LoopCall &call);
  void perform(const Step &step, int opening, const LoopCall &call) { run_.perform(step, opening, call, *stats_); }
  void close(int opening, const LoopCall &call);
  void abandon() { open_ = opened_ = 0; }
  LoopRun &loop_run() { return run_; }                         // performs the steps of this loop
  bool wants_recheck() const { return how_->wants_recheck(); } // its next run should be one as a whole
  void ran_in_pieces() { how_->ran_in_pieces(); }

  // The order in which elements of a set, with the copies that layer 1 executes, add to rows through maps, the core
  // first, so that rows get their increments in the same order on all processes.
  static std::span<const int> additions(PlanCache &plans, const Set &set, int rank);

  const LoopSignature &signature() const { return what_; }
  const PreparedLoop &prepared() const { return *how_; }
  std::span<const LoopPart> parts() const { return parts_; }
  bool reduces() const { return !reduction_.empty(); }
  const Schedule &schedule() const { return when_; }
  LoopStats &stats() const { return *stats_; }
  double bytes_per_call() const { return bytes_per_call_; }
  int elements() const { return what_.set.size - (what_.set.particles ? parts_.front().begin : 0); }
  const std::string &name() const { return what_.name; }
  bool form_changed() { return std::exchange(form_changed_, false); } // since the last query

  const TraceSubject *traced = nullptr; // how the trace names a run of this loop, NULL without a trace

 private:
  bool exchanges() const { return mesh_.several() && what_.indirect; }
  std::vector<LoopPart> divide() const;
  std::vector<LoopPart> divide_direct() const;
  std::vector<LoopPart> divide_with_copies() const;
  std::vector<LoopPart> divide_particles() const;
  void follow_particles();
  void follow_map();
  // Whether its time compares with that of other runs: those of particles differ in size.
  bool many() const { return !what_.set.particles || 2 * elements() >= most_elements_; }
  Schedule write_schedule(const LoopLayers *layers = nullptr) const;
  void change(const LoopCall &call);
  void run_tuned(const LoopCall &call);
  void run_measured(const LoopCall &call);
  bool begin_work();
  void end_work();

  Mesh &mesh_;
  PlanCache &plans_;
  const LoopOptions options_;
  const LoopSignature what_;
  const Revision revision_;
  Revision resized_;
  Reduction reduction_;
  LoopDescription described_;
  double bytes_per_call_;
  LoopExchange exchange_;
  std::vector<LoopPart> parts_; // at least one; their number never changes
  std::unique_ptr<PreparedLoop> how_;
  Schedule when_;
  LoopRun run_;
  LoopStats *stats_;
  WorkTimes &times_;
  LoopWork *work_;             // NULL: nobody balances the work of this loop
  std::uint64_t measured_ = 0; // runs
  int most_elements_ = 0;      // of all runs so far
  int open_ = 0, opened_ = 0;  // runs in pieces
  bool timed_ = false;         // they are
  bool form_changed_ = false;
  bool map_rewritten_ = false;
};

// A call for which a schedule runs.
struct RunningCall {
  Loop *loop;
  const LoopCall *call;
  int opening = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
