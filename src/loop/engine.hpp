// Runs loops: finds the prepared loop of a call or prepares it, runs it, measures its time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/trace.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "distributed/redistribute/renumber.hpp"
#include "loop/chain/chains.hpp"
#include "loop/chain/recorder.hpp"
#include "loop/layers/layer_parts.hpp"
#include "loop/layers/layered_chain.hpp"
#include "loop/loop.hpp"
#include "loop/verify/checked_chains.hpp"

namespace op2::core {

enum class Renumber { off, automatic, always };

struct EngineOptions {
  LoopOptions loops;
  ChainOptions chains;
  LayerOptions layers; // chains of several processes
  int diags = 0;       // >= 3: a line for every loop executed
  Trace *trace = nullptr;
  Renumber renumber = Renumber::off; // before the first loop
  Transport transport;
  int halo_depth = 1; // see DivideOptions
  // Several processes: chooses the owners if the program has not divided the mesh before its first loop; empty = sets
  // stay as declared.
  std::function<Division(Mesh &)> choose_owners;
};

// What goes along when the mesh gets another division or order. Both are collective.
class MovesAlong {
 public:
  virtual ~MovesAlong() = default;
  virtual void lift() = 0; // before: remembers by declared numbers
  virtual void land() = 0; // afterwards
  virtual void stay() = 0; // instead of land(), when nothing has changed
};

// A loop that runs outside of the engine, and may wait for messages.
class OutsideLoop {
 public:
  virtual ~OutsideLoop() = default;
  virtual void finish() = 0; // the messages have come; collective
};

// A flag that is true while a scope lasts.
class Raise {
 public:
  explicit Raise(bool &flag) : flag_(flag) { flag_ = true; }
  ~Raise() { flag_ = false; }
  Raise(const Raise &) = delete;
  Raise &operator=(const Raise &) = delete;

 private:
  bool &flag_;
};

class Engine {
 public:
  // id: different for every engine of a process, so that no engine uses a slot that an earlier one has filled.
  Engine(Mesh &mesh, const Log &log, const EngineOptions &options, std::uint64_t id);

  // One op_par_loop. Throws an Error with the name of the loop and the place of the call. lasting: the site lives as
  // long as the engine, so its slot may be used.
  // May be recorded and run later, at the next flush() at the latest.
  void run(op_loop_site &site, bool lasting, const char *name, op_set set, int nargs, const op_arg *args);

  // From begin_chain() to end_chain(), which may be nested, loops are recorded. flush() runs what is recorded; every
  // call of the library that sees data, or changes the mesh, does so first. A failure is that of a recorded loop.
  void begin_chain(const char *name) {
    if (recording_++ == 0) chain_name_ = name;
  }
  void end_chain();
  bool recording() const { return recording_ > 0; }
  // For the loops that are called from now on.
  void put(op_global_core &global, const void *values) { recorded_.put(global, values); }
  // Before the constant gets the value that is in this variable already: runs what is recorded with the value of before,
  // which is in the variable meanwhile. Throws if the program's own code is to run, and reads a variable that is not
  // known.
  void run_before_constant(const char *constant, const void *variable, std::size_t bytes);
  void flush() {
    if (!recorded_.empty() && !flushing_) [[unlikely]]
      run_recorded(recorded_.calls().size());
  }

  // The engine calls finish_outside() itself before it runs a loop or moves rows.
  void begin_outside(OutsideLoop &loop) { outside_ = &loop; }
  void finish_outside() {
    if (OutsideLoop *const loop = std::exchange(outside_, nullptr)) loop->finish();
  }

  // Divides the mesh if that is still to be done. Collective.
  void divide_mesh() {
    if (needs_distribution()) distribute_before_loop();
  }
  // Divides and orders the mesh if that is still to be done, as before a loop. Collective.
  void make_mesh_ready();
  // NULL: nothing does. It must outlive the engine's calls.
  void take_along(MovesAlong *along) { along_ = along; }
  // The rows of a set of particles have changed: its loops adapt to them before their next call.
  void particles_moved(Set &set);

  // Renumbers the mesh. Drops loops whose set, maps or dats changed. Throws OP_ERR_STATE while a host view is open.
  void renumber(const RenumberRequest &request);

  // Several processes: moves elements to the owners that `choose` finds, and makes halos. Drops all prepared loops.
  void distribute(const ChooseOwners &choose);

  StatsTable &stats() { return stats_; }
  DivisionTimes &division_times() { return division_times_; }
  bool running() const { return running_; } // inside op_par_loop(): the caller is a kernel

 private:
  struct SiteMemory { // what a site's private slot points to: its loops, the last one used first
    std::vector<Loop *> loops;
  };
  void submit(op_loop_site &site, bool lasting, const LoopCall &call);
  bool keeps(const Loop &loop) const;
  void need_known_variable(const char *constant, const void *variable, std::size_t bytes) const;
  void look_for_variable(const char *constant, const void *variable, std::size_t bytes) const;
  void run_recorded(std::size_t count);
  void run_chain(std::span<const ChainCall> calls, std::size_t &at);
  TiledChainStats &record_of(std::span<const ChainCall> calls, Chain &chain);
  void note_run(std::span<const ChainCall> calls, Chain &chain, bool in_tiles, double seconds);
  void verify_chain(std::span<const ChainCall> calls, std::size_t &at);
  void run_alone(const ChainCall &call, std::size_t at);
  void run_whole(std::span<const ChainCall> calls, WholeChain &chain, std::size_t &at);
  void run_together(std::span<const ChainCall> calls, WholeGroup &group, std::size_t &at);
  // settle: for each call, the call of the program before whose results globals get what was put; empty: itself.
  void run_tiles(std::span<const ChainCall> calls, const ChainSchedule &tiles, Chain &chain, std::size_t &at,
                 std::span<const std::size_t> settle = {});
  void run_phase(std::span<const ChainCall> calls, std::span<const int> openings, const ChainSchedule::Phase &phase,
                 AheadOfTiles *ahead, std::size_t &at);
  bool run_fused(std::span<const ChainCall> calls, Chain &chain, std::size_t &at);
  void note_fused(Chain &chain, double seconds);
  void run_in_layers(std::span<const ChainCall> calls, std::size_t &at);
  void run_chain_in_layers(std::span<const ChainCall> calls, std::size_t &at);
  void before_call(Loop &loop, std::size_t at);
  void settle_globals(std::size_t end, std::size_t &at);
  void agree_on_chain(std::span<const ChainCall> calls);
  void run_group(std::span<const ChainCall> calls, LayerGroup &group, double tile_bytes, std::size_t &at);
  void find_tiles(LayerGroup &group, double tile_bytes);
  bool goes_at_once(std::span<const ChainCall> calls, LayerGroup &group, std::size_t &at);
  void run_at_once(std::span<const ChainCall> calls, const LayerGroup &group, std::size_t &at);
  void run_in_tiles(std::span<const ChainCall> calls, const LayerGroup &group, std::size_t &at);
  void run_steps(std::span<const ChainCall> calls, const LayerGroup &group, std::vector<int> &openings,
                 std::size_t &at);
  void run_on_threads(std::span<const ChainCall> calls, ThreadedChain &threads, std::span<const int> openings,
                      std::size_t &at);
  void end_steps(std::span<const ChainCall> calls, const LayerGroup &group, std::span<const int> openings,
                 std::size_t &at);
  void prepare_group(std::span<const ChainCall> calls, LayerGroup &group, std::size_t &at);
  Loop &loop_in_layers(const ChainCall &call, int level, bool first, std::vector<CopiesWanted> wanted);
  void run_one(Loop &loop, std::span<const ChainCall> calls, std::size_t at);
  LayeredChain &deepen(std::span<const ChainCall> calls, LayeredChain &chain);
  Loop &find(op_loop_site &site, const LoopCall &call);
  Loop &find_by_hash(const LoopCall &call);
  Loop &prepare(const LoopCall &call);
  std::unique_ptr<Loop> prepared(const LoopCall &call);
  SiteMemory &memory_of(op_loop_site &site);
  void distribute_before_loop();
  void place(const ChooseOwners &choose);
  DivideOptions divide_options() { return {options_.halo_depth, &division_times_}; }
  std::string halo_summary() const;
  void fill_copies();
  static void tell_place(Error &error, const op_loop_site &site, const char *name);
  bool needs_distribution() const;
  static void need_countable(const LoopCall &call);
  void announce(const Loop &loop) const;
  void execute(Loop &loop, const LoopCall &call);
  void count(Loop &loop);
  void run_timed(Loop &loop, const LoopCall &call);
  void run_traced(Loop &loop, const LoopCall &call);
  void renumber_before_first_loop();
  void keep_declared_order(const LoopCall &call, const Set &set);
  void forget_all();
  void forget_chains();
  void know_new();
  void forget_changed(); // loops, plans and exchanges of sets, maps or dats whose revision has changed
  void change_mesh(const std::function<void()> &change);
  void tell_trace(Loop &loop, TraceSpan &preparation, bool built);
  void tell_log(const Loop &loop, bool built, double seconds) const;
  void tell_change(const Loop &loop);
  void warn_of_form(const Loop &loop);
  static std::string form_of(const Loop &loop);

  Mesh &mesh_;
  const Log &log_;
  EngineOptions options_;
  Trace *trace_;                  // NULL = no trace
  std::vector<int> thread_lanes_; // of the trace: threads that run chains
  std::uint64_t id_;
  PlanCache plans_;
  HaloExchanges exchanges_;
  StatsTable stats_;
  DivisionTimes division_times_;
  std::vector<std::unique_ptr<Loop>> loops_;
  OutsideLoop *outside_ = nullptr;
  Recorder recorded_;           // not yet run
  LaterReductions later_;       // of the chain that is running, on several processes
  std::size_t settled_ = 0;     // globals have what its calls before this one put and reduced, and what was put behind
  Chains chains_;
  CheckedChains checked_;
  struct LoopInLayers {
    const Loop *base;
    int level;
    bool first;
    std::vector<CopiesWanted> wanted;
    std::unique_ptr<Loop> loop;
  };
  LayeredChains layered_;
  LayerParts layer_parts_;
  std::vector<LoopInLayers> loops_in_layers_;
  bool flushing_ = false;
  int recording_ = 0;      // op_chain_begin()s that are open
  std::string chain_name_; // of the outermost one
  std::vector<std::unique_ptr<SiteMemory>> sites_;
  std::unordered_map<std::uint64_t, std::vector<Loop *>> by_hash_; // loops by their kernel, name and set
  std::set<std::string> warned_;                                   // warnings about forms, each once
  bool running_ = false;
  bool renumbered_by_itself_ = false;                   // by OP2_RENUMBER=auto
  bool order_settled_;                                  // renumbered, found good, or renumbering is off
  bool divided_ = false;                                // by the program, or by choose_owners
  std::size_t sets_seen_ = 0, maps_seen_ = 0;           // at the last distribution
  std::size_t maps_looked_at_ = 0;                      // at the last attempt to settle the order
  std::vector<Revision> map_revisions_, set_revisions_; // from which plans were made
  std::map<const Set *, PlanCache> particle_plans_;     // apart, since they last until the next move
  MovesAlong *along_ = nullptr;
};

} // namespace op2::core
