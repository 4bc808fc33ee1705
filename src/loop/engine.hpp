// Runs loops: finds the prepared loop of a call or prepares it, runs it, measures its time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/trace.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "distributed/redistribute/renumber.hpp"
#include "loop/hand_loop.hpp"
#include "loop/loop.hpp"

namespace op2::core {

enum class Renumber { off, automatic, always };

struct EngineOptions {
  LoopOptions loops;
  int diags = 0; // >= 3: a line for every loop executed
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

class Engine {
 public:
  // id: different for every engine of a process, so that no engine uses a slot that an earlier one has filled.
  Engine(Mesh &mesh, const Log &log, const EngineOptions &options, std::uint64_t id);

  // One op_par_loop. Throws an Error with the name of the loop and the place of the call. lasting: the site lives as
  // long as the engine, so its slot may be used.
  void run(op_loop_site &site, bool lasting, const char *name, op_set set, int nargs, const op_arg *args);

  // A loop that the program runs itself; collective. begin_by_hand() returns the number of its elements. The program
  // calls finish_by_hand() before the elements that read copies of other processes' rows.
  int begin_by_hand(op_set set, std::span<const op_arg> args);
  void update_copies(Dat &dat); // updates stale copies, on the host; collective
  void finish_by_hand();

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
  struct Submitted {
    Loop *loop;
    LoopCall call; // its variables are those of the program
  };
  // submit() finds or prepares the loop of a call and queues the call. flush() runs the queued calls; run() does so
  // after each call.
  void submit(op_loop_site &site, bool lasting, const LoopCall &call);
  void flush();
  Loop &find(op_loop_site &site, const LoopCall &call);
  Loop &find_by_hash(const LoopCall &call);
  Loop &prepare(const LoopCall &call);
  SiteMemory &memory_of(op_loop_site &site);
  void distribute_before_loop();
  void place(const ChooseOwners &choose);
  DivideOptions divide_options() { return {options_.halo_depth, &division_times_}; }
  std::string halo_summary() const;
  void fill_copies();
  void bring_copies(Dat &dat);
  static void tell_place(Error &error, const op_loop_site &site, const char *name);
  bool needs_distribution() const;
  static void need_countable(const LoopCall &call);
  void execute(const Submitted &taken);
  void run_timed(const Submitted &taken);
  void run_traced(const Submitted &taken);
  void renumber_before_first_loop();
  void keep_declared_order(const LoopCall &call, const Set &set);
  void forget_all();
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
  Trace *trace_; // NULL = no trace
  std::uint64_t id_;
  PlanCache plans_;
  HaloExchanges exchanges_;
  StatsTable stats_;
  DivisionTimes division_times_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<HandLoop>> hand_loops_;
  HandLoop *by_hand_ = nullptr;      // between begin_by_hand() and finish_by_hand()
  std::vector<Submitted> submitted_; // not yet run
  std::vector<std::unique_ptr<SiteMemory>> sites_;
  std::unordered_map<std::uint64_t, std::vector<Loop *>> by_hash_; // loops by their kernel, name and set
  std::set<std::string> warned_;                                   // warnings about forms, each once
  bool running_ = false;
  bool renumbered_by_itself_ = false;                   // by OP2_RENUMBER=auto
  bool order_settled_;                                  // renumbered, found good, or renumbering is off
  bool divided_ = false;                                // by the program, or by choose_owners
  std::size_t sets_seen_ = 0, maps_seen_ = 0;           // at the last distribution
  std::size_t maps_looked_at_ = 0;                      // at the last attempt to settle the order
  std::vector<Revision> map_revisions_, set_revisions_; // of the plans
  std::map<const Set *, PlanCache> particle_plans_;     // apart, since they last until the next move
  MovesAlong *along_ = nullptr;
};

} // namespace op2::core
