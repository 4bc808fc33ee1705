// One loop signature, prepared: the kernel object, the plan, the layout of its reductions. Built at the first call with
// this signature; running it again costs next to nothing.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/trace.hpp"
#include "loop/args.hpp"
#include "loop/device_form.hpp"
#include "loop/fast_form.hpp"
#include "loop/loop_exchange.hpp"
#include "loop/reduce.hpp"
#include "loop/shared_variables.hpp"
#include "loop/stats.hpp"
#include "plan/plan_cache.hpp"

namespace op2::core {

// What is the same for all loops of a context.
struct LoopOptions {
  int block_size = 0;                      // 0 = automatic
  jit::Specialiser *specialiser = nullptr; // NULL = kernels run as compiled with the program
  // With an executor that compiles kernels itself: who runs loops that it cannot have, on the host. NULL = they fail.
  Executor *on_host = nullptr;
  Executor *in_order = nullptr; // with another than seq: who runs loops whose elements share a variable
  bool reproducible = false;    // results depend neither on the processes nor on the threads
  bool wait = false;            // until the executor has run each
  bool local_numbers = false;   // op_arg_idx() gives rows of this process where each declared its own part
  ExchangeOptions exchange;
};

class Loop {
 public:
  // Checks the arguments (throws an Error naming the argument), asks the executor for a kernel and builds its plan.
  // All that is passed by reference, the specialiser too, must outlive the loop.
  Loop(Mesh &mesh, PlanCache &plans, HaloExchanges &exchanges, StatsTable &stats, const op_loop_site &site,
       const char *name, op_set set, std::span<const op_arg> args, const LoopOptions &options);
  ~Loop();
  Loop(const Loop &) = delete;
  Loop &operator=(const Loop &) = delete;

  // Is this the loop for that call? Compares what was checked; the values of globals may differ.
  bool matches(const op_loop_site &site, const char *name, op_set set, std::span<const op_arg> args) const;

  // Throws when a dat is not there any more, or acquired.
  void need_dats() const;
  // Before each run: takes up what has changed since the last one. Failures leave everything as it was.
  void follow(std::span<const op_arg> args) {
    if (fast_.arrived() || constants_changed_ != mesh_.constants_changed() || plan_again_) [[unlikely]]
      change(args);
  }
  // Runs it. Errors after the first element has run, on any process, poison the context.
  void run(std::span<const op_arg> args);

  LoopStats &stats() const { return *stats_; }
  double bytes_per_call() const { return bytes_per_call_; }
  int elements() const { return set_->size; }
  const std::string &name() const { return name_; }
  bool indirect() const { return signature_.indirect != 0; }
  const op_exec_plan &plan() const { return parts_.front().plan; }
  const FastForm &fast_form() const { return fast_; }
  bool form_changed() { return std::exchange(form_changed_, false); } // since it was asked last
  // Why it runs on the host though the executor has memory of its own; "" = it does not.
  const std::string &why_on_host() const { return why_on_host_; }
  // How much more owners of rows would work, where the executor wished for them and got something else; 0 otherwise.
  double refused_owner_work() const { return refused_owner_work_; }

  const TraceSubject *traced = nullptr; // what the trace calls a run of this loop, NULL without a trace

 private:
  struct DatUse { // all arguments of a loop that touch one dat
    Dat *dat;
    op_access access;
    bool partial;           // some rows or components may keep their old values
    bool in_layout = false; // the code takes the copy in the dat's layout
  };
  // With several processes: elements that need nothing from others first, while messages are on their way, then the
  // rest, then copies that add to rows owned here. Each has a kernel and a plan of its own.
  struct Part {
    int begin, end;
    bool own = true; // what its elements reduce counts
    op_exec_kernel *kernel = nullptr;
    op_exec_plan plan{};
    bool again = false;                            // the executor has not settled on a plan yet
    const PlanCache::Sequence *sequence = nullptr; // the order its elements must keep; NULL = their own
    bool by_runs = false;                          // of which each run is a call of its own
    const PlanCache::Sequence *in_calls = nullptr; // the order that one call keeps by itself; NULL = its elements' own
  };
  void describe(std::span<const op_arg> args);
  op_range_fn own_range() const;   // NULL = none that is right
  op_range_fn known_range() const; // that, or the core's over the bare pointer
  void divide();
  void point_maps(); // to the tables of whoever runs the loop
  void point_maps(std::vector<op_range_arg> &ranges, bool here);
  void prepare_device(); // the kernel's text for an executor that compiles itself
  void move_to_host(const std::string &why);
  void run_in_order();
  void make_kernels(std::span<const op_arg> args); // there or here
  void create_kernels();
  ReducedRange reducing() const;
  op_exec_source source() const;
  void try_device(std::span<const op_arg> args); // throws OP_ERR_UNSUPPORTED: what differs
  void free_kernels() noexcept;
  void change(std::span<const op_arg> args);
  void make_ready(std::span<const op_arg> args, op_exec_call &call);
  void run_agreed(std::span<const op_arg> args, op_exec_call &call, bool &begun);
  void give_up();
  void run_parts(op_exec_call &call);
  void run_part(const Part &part, op_exec_call &call);
  void run_by_runs(const Part &part, op_exec_call &call);
  const PlanCache::Sequence *sequence(); // NULL where elements lie in the order of the declaration
  void agree_on_form();
  FastFormRequest fast_request(std::span<const op_arg> args);
  std::vector<op_range_layout> device_layouts() const;
  void follow_layouts();                          // of the code: strides and what the executor is told
  void change_form(std::span<const op_arg> args); // generated code has arrived, or cannot be used any more
  bool numbers_are_rows() const;                  // what op_arg_idx() gives
  const int *numbers_of(const LoopArg &arg, bool own, bool here);
  void number_as_declared(const LoopArg &arg, op_exec_arg &exec, op_range_arg &range);
  void collect_dat_uses();
  void choose_plans(); // as the executor wishes now
  void choose_plan(Part &part);
  void show_plan();
  double count_bytes() const;

  Mesh &mesh_;
  Executor *executor_; // the mesh's, or the one on the host
  PlanCache &plans_;
  LoopOptions options_;
  bool plan_again_ = false; // for some part
  std::string name_;
  Set *set_;
  std::vector<op_arg> call_args_;       // as in the first call, for matches()
  std::vector<std::string> call_types_; // their type names: the program may reuse the memory of its own
  op_kernel_fn element_;
  op_range_fn range_;
  std::vector<LoopArg> args_;
  Reduction reduction_;
  ReductionRun reduced_;  // the values of the run that is going on
  ReducedRange reducing_; // the code that fills its records
  SharedVariables shared_;
  std::vector<op_exec_arg> exec_args_;
  std::vector<op_exec_arg_names> names_;
  std::vector<const std::int32_t *> row_numbers_;
  std::vector<op_range_arg> range_args_;
  std::vector<op_range_layout> layouts_; // empty: all rows are contiguous
  std::vector<DatUse> dat_uses_;
  op_exec_signature signature_{};
  FastForm fast_;                                                       // generated code, or why there is none
  std::unique_ptr<DeviceForm> device_ = std::make_unique<DeviceForm>(); // the same for an executor that compiles itself
  std::string why_on_host_;
  int constants_changed_ = 0; // when it was generated
  op_loop_site site_{};       // what to fall back to; its texts belong to the program
  std::vector<Part> parts_;   // at least one
  LoopExchange exchange_;
  std::vector<char> part_result_;
  LoopStats *stats_ = nullptr;
  double bytes_per_call_ = 0;
  double refused_owner_work_ = 0;
  bool form_changed_ = false;
  bool numbers_looked_up_ = false; // some argument is a number of the declaration on a renumbered set
};

} // namespace op2::core
