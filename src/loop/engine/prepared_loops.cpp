#include "loop/engine/prepared_loops.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "jit/unit/unit_text.hpp"

namespace op2::core {

PreparedLoops::PreparedLoops(Mesh &mesh, const LoopOptions &options, const Transport &transport, const Log &log,
                             Trace *trace, StatsTable &stats, LoopReport &report, std::uint64_t id)
    : mesh_(mesh),
      options_(options),
      trace_(trace),
      stats_(stats),
      report_(report),
      id_(id),
      exchanges_(transport, &log),
      layer_parts_(mesh, plans_, options.reproducible) {
  plans_.keep_in(mesh.kept());
}

PreparedLoops::SiteMemory &PreparedLoops::memory_of(op_loop_site &site) {
  if (site.slot_owner != id_ || !site.slot) {
    sites_.push_back(std::make_unique<SiteMemory>());
    site.slot = sites_.back().get();
    site.slot_owner = id_;
  }
  return *static_cast<SiteMemory *>(site.slot);
}

Loop *PreparedLoops::find_at(op_loop_site &site, const LoopCall &call) {
  std::vector<Loop *> &recent = memory_of(site).loops;
  for (Loop *&candidate : recent)
    if (candidate->matches(call)) {
      std::swap(candidate, recent.front());
      return recent.front();
    }
  return nullptr;
}

void PreparedLoops::remember(op_loop_site &site, Loop &loop) {
  std::vector<Loop *> &recent = memory_of(site).loops;
  recent.insert(recent.begin(), &loop);
}

// The same kernel with the same arguments is the same loop. A library that was loaded where another one was unloaded
// has its kernels at the addresses of the other one's.
Loop *PreparedLoops::find(const LoopCall &call) {
  const std::string unit = jit::digest_of_unit(call.site->text);
  for (Loop *loop : by_hash_[call.hash()])
    if (loop->matches(call) && loop->signature().unit == unit) return loop;
  return nullptr;
}

Loop &PreparedLoops::add(const LoopCall &call) {
  loops_.push_back(prepare(call));
  by_hash_[call.hash()].push_back(loops_.back().get());
  return *loops_.back();
}

std::unique_ptr<Loop> PreparedLoops::prepare(const LoopCall &call) {
  std::optional<TraceSpan> shown;
  if (trace_) shown.emplace(*trace_, trace_->subject(trace_lane::plans, text("prepare ", call.name)));
  const double start = now();
  const Set &set = mesh_.objects().any_set(call.set, "the set");
  PlanCache &plans = set.particles ? particle_plans_[&set] : plans_;
  know_new();
  const std::int64_t plans_before = plans.stats().builds;
  const auto make = [&] {
    if (mesh_.paged()) mesh_.paged()->take(); // which the file may have no room for
    return std::make_unique<Loop>(mesh_, plans, plans_, exchanges_, stats_, call, options_);
  };
  std::unique_ptr<Loop> made =
      mesh_.agreement().together(text("loop '", call.name, "' with ", call.args.size(), " arguments"), make);
  const double seconds = now() - start;
  made->stats().plan_seconds += seconds;
  report_.prepared(*made, plans.stats().builds > plans_before, seconds, shown ? &*shown : nullptr);
  return made;
}

Loop &PreparedLoops::in_layers(const ChainCall &call, int level, bool first, std::vector<CopiesWanted> wanted) {
  for (const LoopInLayers &known : in_layers_)
    if (known.base == call.loop && known.level == level && known.first == first && known.wanted == wanted)
      return *known.loop;
  const double start = now();
  LoopOptions options = options_;
  options.layers = true;
  std::unique_ptr<Loop> made = mesh_.agreement().together(text("loop '", call.loop->name(), "' in layers"), [&] {
    LoopLayers layers = layer_parts_.of(*call.loop, level, first);
    layers.wanted = wanted;
    return std::make_unique<Loop>(mesh_, plans_, plans_, exchanges_, stats_, call.call, options, &layers);
  });
  made->stats().plan_seconds += now() - start;
  made->traced = call.loop->traced;
  in_layers_.push_back({call.loop, level, first, std::move(wanted), std::move(made)});
  return *in_layers_.back().loop;
}

void PreparedLoops::forget_layers() {
  layer_parts_.forget();
  in_layers_.clear();
}

void PreparedLoops::forget_all() {
  forget_layers();
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
void PreparedLoops::know_new() {
  const auto know = [](const auto &objects, std::vector<Revision> &known) {
    for (std::size_t i = known.size(); i < objects.size(); ++i) known.push_back(objects[i]->revision);
  };
  know(mesh_.maps(), map_revisions_);
  know(mesh_.sets(), set_revisions_);
}

namespace {

constexpr auto invalid = [](const auto &loop) { return !loop->valid(); };

} // namespace

bool PreparedLoops::any_invalid() const { return std::ranges::any_of(loops_, invalid); }

void PreparedLoops::forget_changed() {
  if (any_invalid()) forget_layers();
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

void PreparedLoops::map_rewritten(const Map &map, std::span<const int> rows) {
  forget_layers();
  plans_.rewritten(map.index, rows, [this](int number) {
    const Map &known = mesh_.objects().map_of(number);
    return PlanMap{known.table.data(), known.dim, known.target().rows(), known.version()};
  });
  for (auto &[set, plans] : particle_plans_) plans.clear(); // made of those of the mesh
  for (const auto &loop : loops_)
    if (loop->signature().set.particles || loop->signature().goes_through(map)) loop->note_rewritten();
}

void PreparedLoops::particles_moved(Set &set) { particle_plans_[&set].clear(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
