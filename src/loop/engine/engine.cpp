#include "loop/engine/engine.hpp"

#include <algorithm>
#include <utility>

#include "loop/engine/recorded_constants.hpp"

namespace op2::core {

namespace {

void set_place(Error &error, const op_loop_site &site, const char *name) {
  error.loop = name ? name : "";
  error.file = site.file ? site.file : "";
  error.line = site.line;
}

} // namespace

Engine::Engine(Mesh &mesh, const Log &log, const EngineOptions &options, std::uint64_t id)
    : mesh_(mesh),
      options_(options),
      report_(log, mesh.executor().name(), options.trace),
      interpreter_({options.loops.exchange.timing, options.diags >= 3, options.trace,
                    [this](const Loop &loop) { report_.form_changed(loop); }}),
      loops_(mesh, options_.loops, options.mesh.transport, log, options.trace, stats_, report_, id),
      until_(mesh, loops_.exchanges(), stats_, options_.until),
      setup_(mesh, log, options.trace, options.mesh,
             {[this] { flush(); }, [this] { finish_outside(); }, [this] { forget_all(); }, [this] { forget_changed(); },
              [this](const Map &map, std::span<const int> rows) { map_rewritten(map, rows); }}),
      chains_({mesh, log, stats_, interpreter_, recorded_, options.loops.exchange.timing}, options.chains),
      layered_({mesh, log, stats_, interpreter_, recorded_, options.loops.exchange.timing}, options.layers, setup_,
               loops_, [this](int halo_depth) { deepen(halo_depth); }) {}

template <class Step>
void Engine::call(const op_loop_site &site, const char *name, op_set set, int nargs, const op_arg *args,
                  const Step &step) {
  try {
    const auto checked = [&] {
      if (running()) fail(OP_ERR_STATE, "a kernel must not call op_par_loop()");
      if (!site.element && !site.range) fail(OP_ERR_ARGUMENT, "the kernel is NULL");
      if (nargs < 0 || nargs > OP_MAX_ARGS)
        fail(OP_ERR_ARGUMENT, "the number of arguments is ", nargs, "; a loop takes 0 to ", OP_MAX_ARGS);
      if (nargs > 0 && !args) fail(OP_ERR_ARGUMENT, "the array of arguments is NULL");
      step(LoopCall{&site, name, set, {args, static_cast<std::size_t>(nargs)}});
    };
    // A program that goes on after an error must not leave other processes waiting: all learn how each loop ended.
    if (mesh_.several() && mesh_.agreement().errors_return()) [[unlikely]]
      mesh_.agreement().with_others(text("loop '", name ? name : "", "'"), checked);
    else
      checked();
  } catch (Error &error) {
    if (error.loop.empty()) set_place(error, site, name); // else it is that of a recorded loop
    throw;
  }
}

void Engine::run(op_loop_site &site, bool lasting, const char *name, op_set set, int nargs, const op_arg *args) {
  call(site, name, set, nargs, args, [&](const LoopCall &call) { submit(site, lasting, call); });
}

void Engine::run_until(const op_loop_site &site, const char *name, op_set set, int nargs, const op_arg *args) {
  call(site, name, set, nargs, args, [&](const LoopCall &call) {
    flush();
    make_mesh_ready();
    setup_.keep_declared_order(call, mesh_.objects().any_set(call.set, "the set"));
    until_.run(call);
  });
}

void Engine::make_mesh_ready() {
  if (setup_.awaits_order()) [[unlikely]]
    flush();
  finish_outside();
  if (mesh_.dialect().replaces_tables && mesh_.declare().take_new_tables()) forget_changed();
  setup_.prepare();
}

void Engine::submit(op_loop_site &site, bool lasting, const LoopCall &call) {
  if (look_ && recording_ == 0 && recorded_.empty()) look_();
  make_mesh_ready();
  Loop &loop = find(site, lasting, call);
  loop.make_current(call);
  const bool kept = must_record(loop);
  if (!recorded_.empty() && (!kept || Recorder::waits(loop))) {
    agree_with_others(loop);
    flush(); // after which the loop may be another one
    return submit(site, lasting, call);
  }
  if (!kept && (mesh_.several() ? layered_.pages() : chains_.pages())) [[unlikely]]
    return run_alone(loop, call);
  if (!kept) return interpreter_.run(loop, call);
  agree_with_others(loop);
  recorded_.add(loop, call);
  if (loop.ends_chain()) return flush();
  if (static_cast<int>(recorded_.calls().size()) >= options_.chains.longest) run_recorded(recorded_.whole_rounds());
}

// Before what other processes wait for.
void Engine::agree_with_others(const Loop &loop) {
  if (mesh_.several() && mesh_.agreement().errors_return()) mesh_.agreement().agree(text("loop '", loop.name(), "'"));
}

// As a chain of one loop.
void Engine::run_alone(Loop &loop, const LoopCall &call) {
  if (mesh_.several()) return layered_.run_loop(loop, call);
  const ChainCall calls[] = {{&loop, call}};
  const std::string no_name;
  std::size_t at = 0;
  chains_.run({calls, no_name, at});
}

Loop &Engine::find(op_loop_site &site, bool lasting, const LoopCall &call) {
  if (!lasting) return find_by_hash(call);
  if (Loop *const known = loops_.find_at(site, call)) return *known;
  Loop &loop = find_by_hash(call);
  loops_.remember(site, loop);
  return loop;
}

Loop &Engine::find_by_hash(const LoopCall &call) {
  // The set is checked before its address is used for anything.
  setup_.keep_declared_order(call, mesh_.objects().any_set(call.set, "the set"));
  if (Loop *const known = loops_.find(call)) return *known;
  flush(); // code is tried on the rows
  if (mesh_.device_pager())
    for (const auto &dat : mesh_.dats())
      if (!dat->freed) mesh_.copies().prepare_host(*dat, OP_READ, false);
  return loops_.add(call);
}

// Several processes run each loop when it is called, unless the program has opened a chain: otherwise a call that one
// of them makes alone must not make loops run.
bool Engine::must_record(const Loop &loop) const {
  if (loop.signature().set.particles || (mesh_.several() && !options_.layers.possible)) return false;
  if (mesh_.several() && mesh_.dialect().reads_rows_in_place) return false; // deeper halos move them
  if (recording_ > 0 || mesh_.several()) return recording_ > 0;
  // A kernel without text may do anything; a program that reads rows in place may do so after any loop.
  return options_.chains.automatic && loop.prepared().from_text() && !mesh_.dialect().reads_rows_in_place;
}

void Engine::end_chain() {
  if (recording_ == 0) fail(OP_ERR_STATE, "no chain is open; each op_chain_end() belongs to an op_chain_begin()");
  const struct Close { // also after a failure
    int &open;
    ~Close() { --open; }
  } close{recording_};
  if (recording_ == 1) flush();
}

void Engine::run_before_constant(const char *constant, const void *variable, std::size_t bytes) {
  core::run_before_constant(mesh_, recorded_, constant, variable, bytes, [this] { flush(); });
}

void Engine::run_recorded(std::size_t count) {
  const ScopedFlag flushing(flushing_);
  const std::span<const ChainCall> calls = recorded_.calls().first(count);
  const std::string name = recording_ > 0 ? chain_name_ : std::string();
  std::size_t at = 0;
  const ChainToRun chain{calls, name, at};
  try {
    if (mesh_.several() && mesh_.agreement().errors_return())
      mesh_.agreement().with_others("a chain of loops", [&] { layered_.run(chain); });
    else if (mesh_.several())
      layered_.run(chain);
    else
      chains_.run(chain);
  } catch (Error &error) { // what was to follow is not run
    at = std::min(at, calls.size() - 1);
    set_place(error, *calls[at].call.site, calls[at].call.name);
    recorded_.give_up();
    throw;
  } catch (...) {
    recorded_.give_up();
    throw;
  }
  recorded_.drop(count);
}

void Engine::deepen(int halo_depth) {
  setup_.deepen(halo_depth);
  for (std::size_t i = 0; i < recorded_.calls().size(); ++i)
    recorded_.replace(i, find_by_hash(recorded_.calls()[i].call));
}

void Engine::forget_chains() {
  chains_.forget();
  layered_.forget();
}

// Executors with generated code of their own may have copies of plans: their loops are prepared anew.
void Engine::map_rewritten(const Map &map, std::span<const int> rows) {
  if (!mesh_.executor().caps().host_code) ++mesh_.objects().own(map).revision;
  chains_.forget(map);
  layered_.forget();
  loops_.map_rewritten(map, rows);
  forget_changed();
}

void Engine::forget_all() {
  finish_outside();
  forget_chains();
  until_.forget_all();
  loops_.forget_all();
}

void Engine::forget_changed() {
  if (loops_.any_invalid()) forget_chains();
  until_.forget_changed();
  loops_.forget_changed();
}

// Executors with generated code of their own bake sizes into it: their loops are prepared anew.
void Engine::particles_moved(Set &set) {
  loops_.particles_moved(set);
  ++set.resized;
  if (!mesh_.executor().caps().host_code) ++set.revision;
  forget_changed();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
