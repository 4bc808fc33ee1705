// How a loop runs: on which executor, from which code, and by which plans. Another form of the loop is another object.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/form/code_provider.hpp"
#include "loop/form/common.hpp"
#include "loop/form/form_tuner.hpp"
#include "loop/form/own_forms.hpp"
#include "loop/form/recheck.hpp"
#include "loop/stats/stats.hpp"

namespace op2::core {

class PreparedLoop {
 public:
  // Without plans: the caller must call choose_plans() next.
  PreparedLoop(const LoopCommon &loop, ProvidedCode code);
  // The first form. Collective with LoopOptions::reproducible.
  static std::unique_ptr<PreparedLoop> first(const LoopCommon &loop, const LoopCall &call);
  // Before each run. next() makes the form that replaces an outdated one: the loop has run so often that it gets code,
  // or a constant has another type or dim.
  bool outdated() { return fast_.grows() || (constants_changed() && !loop_.what.shares); }
  std::unique_ptr<PreparedLoop> next(const LoopCall &call) const;
  PreparedLoop(const PreparedLoop &) = delete;
  PreparedLoop &operator=(const PreparedLoop &) = delete;

  // Only the plans change: an executor that measures variants requests plans before every run until it has chosen one.
  bool plans_open() const { return plans_open_; }
  void choose_plans();

  // The numbers of elements of the parts have changed, and what follows from them.
  void resize();

  // The form may still change: vectors are being compiled, or forms compared by time. These two go around each run.
  bool tunes() const { return tuner_ && !plans_open_; }
  bool compares() const { return tunes() && !tuner_->waits(); } // just now
  struct Tuned {
    bool changed = false; // the form that the loop has for users
    bool timed = false;   // the time of the elements is wanted for after_run()
  };
  Tuned before_run(const LoopCall &call, LoopStats &stats);
  bool after_run(double seconds, LoopStats &stats); // returns whether the form has changed

  // Before a run of the loop as a whole: whether its generated code is to be compared with the kernel again, and that.
  bool rechecks() { return recheck_ && recheck_->when().due(); }
  void recheck(const LoopCall &call, double per_call);
  // Before a run in pieces: whether the loop should rather run as a whole, since it is to be compared; and after it.
  bool wants_recheck() const { return recheck_ && recheck_->when().waits(); }
  void ran_in_pieces() {
    if (recheck_) recheck_->when().passed();
  }
  bool verifies() const { return recheck_ && recheck_->all() && !beside_.range(); } // each call, with OP2_JIT=verify

  struct Part { // for each LoopPart
    Kernel kernel;
    op_exec_plan plan{};
    bool in_chains = false;     // the executor takes the loop in chains, see op_exec_plan_request.chains
    bool adds_in_order = false; // rows get increments in a known order, see op_exec_plan_request.adds_in_order
    const PlanCache::Sequence *in_calls = nullptr; // the order of the elements in one call; NULL = ascending
    const PlanCache::Sequence *runs = nullptr;     // each one is a separate call; NULL = one call
  };
  const Part &part(int number) const { return parts_[static_cast<std::size_t>(number)]; }
  Executor &executor() const { return executor_; }
  // The executor looks at loops as a whole, so that the library looks at what pieces of them would do (loop/verify).
  bool only_verifies_pieces() const { return executor_.checks_chains() && parts_.front().in_chains; }
  bool on_executor() const { return &executor_ == &loop_.mesh.executor(); } // of the mesh
  const std::vector<op_range_arg> &ranges() const { return ranges_; }       // without the addresses of rows
  bool in_layout() const { return !layouts_.empty(); }                      // some argument
  bool in_layout(std::size_t arg) const { return !layouts_.empty() && layouts_[arg].kind != OP_LAYOUT_AOS; }
  const ReducedRange &reducing() const { return reducing_; }

  const FastForm &fast_form() const { return fast_; }
  // Its code was made from the kernel's text, so that it sees nothing but its arguments and constants of
  // op_decl_const().
  bool from_text() const { return fast_.range() || device_; }
  // The next run may be one of the program's own code, which reads variables of the program.
  bool may_run_as_compiled() const { return !from_text() || tuner_ || is_own_form(form_in_use_); }
  // Why the loop runs on the host though the executor has separate memory; "" = it does not.
  const std::string &why_on_host() const { return why_on_host_; }
  // How many times the work an owner plan would do, if the executor requested one and got another kind; 0 otherwise.
  double refused_owner_work() const { return refused_owner_work_; }
  void show(LoopStats &stats) const;

 private:
  static std::unique_ptr<PreparedLoop> make(const LoopCommon &loop, const LoopCall &call, ProvidedCode code);
  bool constants_changed() const { return constants_ != loop_.mesh.objects().constants_changed(); }
  void use_layouts();
  op_exec_source source() const;
  void tune(const LoopCall &call);
  void use(const jit::Specialised &form);
  void try_on_device(const LoopCall &call) const; // throws OP_ERR_UNSUPPORTED: what differs
  bool choose_plan(std::size_t part);
  bool is_fringe(const LoopPart &part) const;
  PlanMap find_map(int map) const;
  PlanKey plan_key(const LoopPart &part, const op_exec_plan_request &request) const;

  LoopCommon loop_;
  Executor &executor_;
  FastForm fast_;
  FastForm beside_;                   // generated code that is only compared
  std::vector<jit::Specialised> own_; // without generated code: the program's own forms
  std::unique_ptr<FormTuner> tuner_;  // NULL = the form is settled
  op_range_fn in_use_;                // the generated code, or own form, that runs now; NULL = the site's
  std::string form_in_use_;
  std::optional<Recheck> recheck_; // of generated code
  std::unique_ptr<DeviceForm> device_;
  std::string why_on_host_;
  int constants_; // the number of their changes so far
  std::vector<op_range_arg> ranges_;
  std::vector<op_range_layout> layouts_; // empty: all rows are contiguous
  op_exec_signature signature_;
  ReducedRange reducing_;
  std::vector<Part> parts_;
  bool plans_open_ = true;
  double refused_owner_work_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
