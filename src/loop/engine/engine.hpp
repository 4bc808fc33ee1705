// The engine of a context. run() finds the prepared loop of a call, and runs or records the call; flush() runs the
// recorded calls. When the mesh is divided or renumbered, or particles move, the engine drops the prepared loops and
// the chains that depend on the old mesh.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/trace.hpp"
#include "loop/engine/chain_runner.hpp"
#include "loop/engine/layered_runner.hpp"
#include "loop/engine/loop_report.hpp"
#include "loop/engine/mesh_setup.hpp"
#include "loop/engine/prepared_loops.hpp"
#include "loop/interpreter.hpp"
#include "loop/until/until_loops.hpp"

namespace op2::core {

struct EngineOptions {
  LoopOptions loops;
  ChainOptions chains;
  LayerOptions layers; // chains of several processes
  UntilOptions until;
  MeshSetupOptions mesh;
  int diags = 0; // >= 3: a line for every loop executed
  Trace *trace = nullptr;
};

// A loop that the program runs itself, whose exchanges with other processes are under way.
class OutsideLoop {
 public:
  virtual ~OutsideLoop() = default;
  virtual void finish() = 0; // waits for messages; collective
};

class Engine {
 public:
  // id: different for every engine of a process, see PreparedLoops.
  Engine(Mesh &mesh, const Log &log, const EngineOptions &options, std::uint64_t id);

  // One op_par_loop. Throws an Error with the name of the loop and the place of the call. lasting: the site lives as
  // long as the engine, so its slot may be used.
  // May be recorded and run later, at the next flush() at the latest.
  void run(op_loop_site &site, bool lasting, const char *name, op_set set, int nargs, const op_arg *args);
  // One op_par_loop_until(), likewise. It runs now, after what is recorded.
  void run_until(const op_loop_site &site, const char *name, op_set set, int nargs, const op_arg *args);

  // From begin_chain() to end_chain(), which may be nested, loops are recorded. flush() runs what is recorded; every
  // call of the library that sees data, or changes the mesh, does so first. A failure is that of a recorded loop.
  void begin_chain(const char *name) {
    if (recording_ == 0 && look_ && recorded_.empty()) look_();
    if (recording_++ == 0) chain_name_ = name;
  }
  void end_chain();
  // Sets the values of a global. Calls that are recorded already keep the old values; later calls use the new ones.
  void put(op_global_core &global, const void *values) { recorded_.put(global, values); }
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

  // Divides and orders the mesh if that is still to be done, as before a loop. Collective.
  void make_mesh_ready();
  MeshSetup &mesh_setup() { return setup_; }
  // The rows of a set of particles have changed: its loops adapt to them before their next call.
  void particles_moved(Set &set);

  // look() is called before each loop and chain while nothing is recorded. Collective.
  void before_loops(std::function<void()> look) { look_ = std::move(look); }
  // Whether there are times of elements on this process.
  bool measures_elements() const { return options_.loops.exchange.timing && !mesh_.executor().caps().asynchronous; }

  // Data is in memory or in a file in another way.
  void forget_schedules() { forget_chains(); }
  StatsTable &stats() { return stats_; }
  bool running() const {
    return interpreter_.running() || until_.running();
  } // inside op_par_loop(): the caller is a kernel

 private:
  // Checks a call and runs step(call) with the loop's name in its errors.
  template <class Step>
  void call(const op_loop_site &site, const char *name, op_set set, int nargs, const op_arg *args, const Step &step);
  void submit(op_loop_site &site, bool lasting, const LoopCall &call);
  void run_alone(Loop &loop, const LoopCall &call);
  Loop &find(op_loop_site &site, bool lasting, const LoopCall &call);
  Loop &find_by_hash(const LoopCall &call);
  bool must_record(const Loop &loop) const; // false: the loop runs now
  // Collective: every process learns whether another process failed at this call.
  void agree_with_others(const Loop &loop);
  void run_recorded(std::size_t count);
  void forget_all();
  void forget_changed();
  void forget_chains();
  void map_rewritten(const Map &map, std::span<const int> rows);
  void deepen(int halo_depth);

  Mesh &mesh_;
  const EngineOptions options_;
  StatsTable stats_;
  LoopReport report_;
  Interpreter interpreter_;
  PreparedLoops loops_;
  UntilLoops until_;
  OutsideLoop *outside_ = nullptr;
  Recorder recorded_; // not yet run
  std::function<void()> look_;
  MeshSetup setup_;
  ChainRunner chains_;
  LayeredRunner layered_;
  bool flushing_ = false;
  int recording_ = 0;      // op_chain_begin()s that are open
  std::string chain_name_; // of the outermost one
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
