#include "loop/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/halo/halo_memory.hpp"
#include "jit/unit/unit_text.hpp"
#include "loop/fuse/merged_kernel.hpp"

namespace op2::core {

Engine::Engine(Mesh &mesh, const Log &log, const EngineOptions &options, std::uint64_t id)
    : mesh_(mesh),
      log_(log),
      options_(options),
      trace_(options.trace),
      id_(id),
      exchanges_(options.transport, &log),
      chains_(options.chains),
      checked_(options.chains.tile_bytes),
      layered_(options.layers),
      layer_parts_(mesh, plans_, options.loops.reproducible),
      order_settled_(options.renumber == Renumber::off) {}

Engine::SiteMemory &Engine::memory_of(op_loop_site &site) {
  if (site.slot_owner != id_ || !site.slot) {
    sites_.push_back(std::make_unique<SiteMemory>());
    site.slot = sites_.back().get();
    site.slot_owner = id_;
  }
  return *static_cast<SiteMemory *>(site.slot);
}

Loop &Engine::prepare(const LoopCall &call) {
  flush(); // the code is tried on the rows
  loops_.push_back(prepared(call));
  return *loops_.back();
}

std::unique_ptr<Loop> Engine::prepared(const LoopCall &call) {
  std::optional<TraceSpan> shown;
  if (trace_) shown.emplace(*trace_, trace_->subject(trace_lane::plans, text("prepare ", call.name)));
  const double start = now();
  const Set &set = mesh_.objects().any_set(call.set, "the set");
  PlanCache &plans = set.particles ? particle_plans_[&set] : plans_;
  know_new();
  const std::int64_t plans_before = plans.stats().builds;
  std::unique_ptr<Loop> made = mesh_.agreement().together(
      text("loop '", call.name, "' with ", call.args.size(), " arguments"),
      [&] { return std::make_unique<Loop>(mesh_, plans, plans_, exchanges_, stats_, call, options_.loops); });
  Loop &loop = *made;
  const double seconds = now() - start;
  loop.stats().plan_seconds += seconds;
  const bool built = plans.stats().builds > plans_before;
  if (shown) tell_trace(loop, *shown, built);
  if (log_.wants(OP_LOG_INFO)) tell_log(loop, built, seconds);
  warn_of_form(loop);
  return made;
}

void Engine::warn_of_form(const Loop &loop) {
  const std::string &on_host = loop.how().why_on_host();
  if (!on_host.empty() && warned_.insert(text(loop.name(), ": ", on_host)).second)
    log_.write(OP_LOG_WARN,
               text("loop '", loop.name(), "' runs on the host, and its data goes there and back: ", on_host));
  const FastForm &fast = loop.how().fast_form();
  if (MergedKernel::of(loop.what().site)) return; // its loops run by themselves, then
  if (fast.surprising() && warned_.insert(fast.why()).second)
    log_.write(OP_LOG_WARN, text("loop '", loop.name(), "' runs ",
                                 fast.range() ? "scalar code" : "as compiled with the program", ": ", fast.why()));
}

void Engine::tell_trace(Loop &loop, TraceSpan &preparation, bool built) {
  const LoopStats &stats = loop.stats();
  const std::string &executor = mesh_.executor().name();
  JsonFields facts;
  facts.add("loop", stats.name).add("set", stats.set).add("elements", loop.elements()).add("form", stats.form);
  facts.add("executor", executor).add("kind", plan_kind_name(loop.how().part(0).plan.kind)).add("blocks", stats.blocks);
  facts.add("colours", stats.colours).add("plan", built ? "built" : "shared");
  preparation.about(trace_->subject(trace_lane::plans, text("prepare ", loop.name()), facts));
  JsonFields run;
  run.add("set", stats.set).add("elements", loop.elements()).add("bytes", loop.bytes_per_call(), 0);
  run.add("form", stats.form).add("executor", executor);
  loop.traced = &trace_->subject(trace_lane::loops, loop.name(), run, "call");
}

// "vector x8 (compiled by /usr/bin/c++ in 0.2 s)"
std::string Engine::form_of(const Loop &loop) {
  const FastForm &fast = loop.how().fast_form();
  std::string form = loop.stats().form;
  if (!fast.how().empty()) form += text(" (", fast.how(), ")");
  if (fast.chosen() && loop.stats().measured.empty()) form += " (chosen before)";
  if (!loop.stats().measured.empty()) form += text(" (the fastest of ", loop.stats().measured, ")");
  const bool own = form.starts_with("own ");
  if (!fast.why().empty()) form += text(own ? " (no code was made: " : " (no vectors: ", fast.why(), ")");
  if (fast.waiting() && !fast.young()) form += " (compiling)";
  return form;
}

// Code that was compiled in the background has come, or cannot be used.
void Engine::tell_change(const Loop &loop) {
  if (log_.wants(OP_LOG_INFO)) log_.write(OP_LOG_INFO, text("loop '", loop.name(), "': now form ", form_of(loop)));
  warn_of_form(loop);
}

void Engine::tell_log(const Loop &loop, bool built, double seconds) const {
  const LoopStats &stats = loop.stats();
  const double refused = loop.how().refused_owner_work();
  log_.write(
      OP_LOG_INFO,
      text("loop '", stats.name, "' on set '", stats.set, "', ", loop.elements(), " elements: form ", form_of(loop),
           "; plan ", built ? "built" : "shared", ", blocks: ", stats.blocks, ", colours: ", stats.colours,
           refused > 0 ? text(" (owners of rows would do ", fixed(refused, 1), " times the work)") : "",
           "; prepared in ", fixed(1e3 * seconds, 3), " ms"));
}

// Loops are shared between sites: the same kernel with the same arguments is the same loop wherever it is called. A
// library that was loaded where another one was unloaded has its kernels at the addresses of the other one's.
Loop &Engine::find_by_hash(const LoopCall &call) {
  keep_declared_order(call,
                      mesh_.objects().any_set(call.set, "the set")); // checked before its address is used for anything
  const std::uint64_t hash = call.hash();
  const std::string unit = jit::digest_of_unit(call.site->text);
  for (Loop *loop : by_hash_[hash])
    if (loop->matches(call) && loop->what().unit == unit) return *loop;
  Loop &loop = prepare(call); // which may run what is recorded, and so forget all loops
  by_hash_[hash].push_back(&loop);
  return loop;
}

Loop &Engine::find(op_loop_site &site, const LoopCall &call) {
  std::vector<Loop *> &recent = memory_of(site).loops;
  for (Loop *&candidate : recent)
    if (candidate->matches(call)) {
      std::swap(candidate, recent.front());
      return *recent.front();
    }
  Loop &loop = find_by_hash(call);
  recent.insert(recent.begin(), &loop);
  return loop;
}

bool Engine::needs_distribution() const {
  if (!mesh_.several() || (mesh_.sets().size() == sets_seen_ && mesh_.maps().size() == maps_seen_)) return false;
  return op2::core::needs_distribution(mesh_);
}

inline void Engine::run_timed(Loop &loop, const LoopCall &call) {
  const double start = options_.loops.exchange.timing ? now() : 0.0;
  loop.run(call);
  if (options_.loops.exchange.timing) loop.stats().seconds += now() - start;
}

// What the trace itself costs is outside the seconds of the loop.
void Engine::run_traced(Loop &loop, const LoopCall &call) {
  const TraceSpan shown(*trace_, *loop.traced, loop.stats().calls + 1);
  run_timed(loop, call);
}

void Engine::forget_chains() {
  chains_.forget();
  checked_.forget();
  layered_.forget();
  layer_parts_.forget();
  loops_in_layers_.clear();
}

void Engine::forget_all() {
  finish_outside();
  forget_chains();
  for (const auto &site : sites_) site->loops.clear();
  by_hash_.clear();
  loops_.clear();
  plans_.clear();
  for (auto &[set, plans] : particle_plans_) plans.clear();
  map_revisions_.clear();
  set_revisions_.clear();
  exchanges_.clear();
}

// Objects that have been declared since the last call: no plan was made from them before.
void Engine::know_new() {
  const auto know = [](const auto &objects, std::vector<Revision> &known) {
    for (std::size_t i = known.size(); i < objects.size(); ++i) known.push_back(objects[i]->revision);
  };
  know(mesh_.maps(), map_revisions_);
  know(mesh_.sets(), set_revisions_);
}

void Engine::forget_changed() {
  const auto invalid = [](const auto &loop) { return !loop->valid(); };
  if (std::ranges::any_of(loops_, invalid)) forget_chains();
  for (const auto &site : sites_) std::erase_if(site->loops, invalid);
  for (auto &[hash, alike] : by_hash_) std::erase_if(alike, invalid);
  std::erase_if(loops_, invalid);
  exchanges_.forget_invalid();
  know_new();
  const auto changed = [](const auto &objects, std::vector<Revision> &seen, auto &&forget) {
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (std::exchange(seen[i], objects[i]->revision) != objects[i]->revision) forget(objects[i]->index);
  };
  const auto forget_map = [this](int map) { plans_.forget_map(map); };
  const auto forget_set = [this](int set) { plans_.forget_set(set); };
  changed(mesh_.maps(), map_revisions_, forget_map);
  changed(mesh_.sets(), set_revisions_, forget_set);
}

// Executors with generated code of their own bake sizes into it: their loops are prepared anew.
void Engine::particles_moved(Set &set) {
  particle_plans_[&set].clear();
  ++set.resized;
  if (!mesh_.executor().caps().host_code) ++set.revision;
  forget_changed();
}

void Engine::distribute(const ChooseOwners &choose) {
  divided_ = true; // as the program says, even if that is in blocks
  place(choose);
}

void Engine::place(const ChooseOwners &choose) {
  std::optional<TraceSpan> shown;
  if (trace_) shown.emplace(*trace_, trace_->subject(trace_lane::plans, "distribute"));
  forget_all(); // halos of all sets are made anew
  sets_seen_ = mesh_.sets().size();
  maps_seen_ = mesh_.maps().size();
  change_mesh([&] { op2::core::distribute(mesh_, choose, divide_options()); });
  if (log_.wants(OP_LOG_INFO)) log_.write(OP_LOG_INFO, halo_summary());
  if (mesh_.dialect().reads_copies) fill_copies();
}

std::string Engine::halo_summary() const {
  const HaloMemory memory = halo_memory(mesh_);
  return text("halos of depth ", options_.halo_depth, ": ", fixed(memory.bytes, 0), " bytes on this process, ",
              fixed(memory.at_most, 0), " were expected at most");
}

void Engine::fill_copies() {
  for (const auto &dat : mesh_.dats())
    if (!dat->freed) bring_copies(mesh_, *dat, options_.transport);
}

// Once the best division there is; what is declared later joins it as it is. A program's first loops may run on sets
// that no map connects yet: they stay in blocks, and the mesh is divided when it is there.
void Engine::distribute_before_loop() {
  mesh_.declare().settle();
  Division division;
  if (!divided_ && options_.choose_owners) division = options_.choose_owners(mesh_);
  divided_ = divided_ || division.settled;
  place(division.choose);
}

void Engine::renumber(const RenumberRequest &request) {
  finish_outside(); // messages may still come to rows that are about to move
  if (needs_distribution()) distribute_before_loop();
  RenumberResult result;
  change_mesh([&] { result = op2::core::renumber(mesh_, request, divide_options()); });
  order_settled_ = true; // the program knows best
  renumbered_by_itself_ = false;
  if (result.changed) forget_changed();
  log_.write(OP_LOG_INFO, text("op_renumber(): ", result.summary));
}

// Particles lie where their cells are.
void Engine::change_mesh(const std::function<void()> &change) {
  flush();
  if (!along_) return change();
  along_->lift();
  try {
    change();
  } catch (const Error &error) {
    // One process has changed nothing; what several have refused together may have moved rows before.
    if (!mesh_.several())
      along_->stay();
    else if (error.agreed && !error.poisons)
      along_->land();
    throw;
  }
  along_->land();
}

// Small sets say nothing about the mesh, so a program's first loops may come before its mesh does.
void Engine::renumber_before_first_loop() {
  if (mesh_.maps().size() == maps_looked_at_ || mesh_.objects().host_view_open()) return;
  maps_looked_at_ = mesh_.maps().size();
  const bool always = options_.renumber == Renumber::always;
  RenumberResult result;
  try {
    change_mesh([&] {
      if (always) {
        result = op2::core::renumber(mesh_, {}, divide_options());
        order_settled_ = result.changed;
      } else {
        const AutomaticResult found = renumber_if_it_pays(mesh_, divide_options());
        order_settled_ = found.settled;
        renumbered_by_itself_ = found.changed;
        result = found;
      }
    });
  } catch (const std::bad_alloc &) { // nothing has changed, and the program can do without
    order_settled_ = true;
    result.summary = "there is no memory for another order; the mesh stays as it is";
  }
  if (!order_settled_) return;
  if (result.changed) forget_changed();
  log_.write(OP_LOG_INFO, text("OP2_RENUMBER=", always ? "always" : "auto", ": ", result.summary));
}

// A range function that counts elements itself knows only their places, and these differ from the numbers of the
// declaration when a set is in parts.
void Engine::need_countable(const LoopCall &call) {
  if (call.site->element || (call.site->flags & OP_SITE_INDEX_BY_KIND)) return;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i].argtype != OP_ARG_IDX) continue;
    Error error(OP_ERR_UNSUPPORTED,
                "the loop has only a range function that counts elements itself, which several processes cannot run; "
                "compile it with this version of op2/loop.h, or give the kernel beside it");
    error.arg = static_cast<int>(i);
    throw error;
  }
}

// Some loops are right in the order of the declaration only; then the mesh goes back to it.
void Engine::keep_declared_order(const LoopCall &call, const Set &set) {
  if (mesh_.several()) return need_countable(call);
  if (!mesh_.objects().renumbered()) return;
  const auto any = [&](auto &&is) { return std::any_of(call.args.begin(), call.args.end(), is); };
  std::string why;
  if (!call.site->element && !(call.site->flags & OP_SITE_INDEX_BY_KIND) &&
      any([](const op_arg &arg) { return arg.argtype == OP_ARG_IDX; }))
    why =
        "has only a range function that counts elements itself, and uses op_arg_idx; compile it with this version of "
        "op2/loop.h, or give the kernel beside it";
  else if (renumbered_by_itself_ && set.renumbered() && any([](const op_arg &arg) { return arg.acc == OP_REDUCE; }))
    why =
        "has a reduction of the program's own, which may depend on the order of the elements; if it does not, say "
        "OP2_RENUMBER=always";
  if (why.empty()) return;
  change_mesh([&] { restore_declared_order(mesh_); });
  forget_changed();
  log_.write(renumbered_by_itself_ ? OP_LOG_INFO : OP_LOG_WARN,
             text("loop '", call.name, "' on set '", set.label, "' ", why,
                  ". The mesh goes back to the order of its declaration"));
}

void Engine::tell_place(Error &error, const op_loop_site &site, const char *name) {
  error.loop = name ? name : "";
  error.file = site.file ? site.file : "";
  error.line = site.line;
}

void Engine::make_mesh_ready() {
  if (!order_settled_ && mesh_.maps().size() != maps_looked_at_) [[unlikely]]
    flush();
  if (outside_) [[unlikely]]
    finish_outside();
  if (mesh_.dialect().replaces_tables && mesh_.declare().take_new_tables()) forget_changed();
  if (needs_distribution()) [[unlikely]]
    distribute_before_loop();
  if (!order_settled_) [[unlikely]]
    renumber_before_first_loop();
}

void Engine::submit(op_loop_site &site, bool lasting, const LoopCall &call) {
  make_mesh_ready();
  Loop &loop = lasting ? find(site, call) : find_by_hash(call);
  loop.make_current(call);
  const bool kept = keeps(loop);
  if (!recorded_.empty() && (!kept || Recorder::waits(loop))) {
    if (mesh_.several() && mesh_.agreement().errors_return()) mesh_.agreement().agree(text("loop '", loop.name(), "'"));
    flush(); // after which the loop may be another one
    return submit(site, lasting, call);
  }
  if (!kept) return execute(loop, call);
  if (mesh_.several() && mesh_.agreement().errors_return()) mesh_.agreement().agree(text("loop '", loop.name(), "'"));
  recorded_.add(loop, call);
  if (loop.ends_chain()) return flush();
  if (static_cast<int>(recorded_.calls().size()) >= options_.chains.longest) run_recorded(recorded_.whole_rounds());
}

void Engine::announce(const Loop &loop) const {
  if (options_.diags >= 3)
    std::printf(" kernel routine %s indirection: %s\n", loop.what().indirect ? "with" : "w/o", loop.name().c_str());
}

void Engine::execute(Loop &loop, const LoopCall &call) {
  announce(loop);
  const Raise raise(running_);
  if (trace_) [[unlikely]]
    run_traced(loop, call);
  else
    run_timed(loop, call);
  count(loop);
}

void Engine::count(Loop &loop) {
  if (loop.form_changed()) [[unlikely]]
    tell_change(loop);
  LoopStats &stats = loop.stats();
  ++stats.calls;
  stats.elements += loop.elements();
  stats.bytes += loop.bytes_per_call();
}

void Engine::run(op_loop_site &site, bool lasting, const char *name, op_set set, int nargs, const op_arg *args) {
  try {
    const auto step = [&] {
      if (running_) fail(OP_ERR_STATE, "a kernel must not call op_par_loop()");
      if (!site.element && !site.range) fail(OP_ERR_ARGUMENT, "the kernel is NULL");
      if (nargs < 0 || nargs > OP_MAX_ARGS)
        fail(OP_ERR_ARGUMENT, "the number of arguments is ", nargs, "; a loop takes 0 to ", OP_MAX_ARGS);
      if (nargs > 0 && !args) fail(OP_ERR_ARGUMENT, "the array of arguments is NULL");
      submit(site, lasting, {&site, name, set, {args, static_cast<std::size_t>(nargs)}});
    };
    // A program that goes on after an error must not leave other processes waiting: all learn how each loop ended.
    if (mesh_.several() && mesh_.agreement().errors_return()) [[unlikely]]
      mesh_.agreement().with_others(text("loop '", name ? name : "", "'"), step);
    else
      step();
  } catch (Error &error) {
    if (error.loop.empty()) tell_place(error, site, name); // else it is that of a recorded loop
    throw;
  }
}

} // namespace op2::core
