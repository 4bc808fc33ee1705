// All prepared loops of a context, found by the site of a call or by what the loop is, with the plans and exchanges
// that they share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "loop/chain/call.hpp"
#include "loop/engine/loop_report.hpp"
#include "loop/layers/layer_parts.hpp"
#include "loop/loop.hpp"

namespace op2::core {

class PreparedLoops {
 public:
  // id: different for every object of a process, so that none uses a slot of a site that an earlier one has filled.
  PreparedLoops(Mesh &mesh, const LoopOptions &options, const Transport &transport, const Log &log, Trace *trace,
                StatsTable &stats, LoopReport &report, std::uint64_t id);

  // The loop of a call that was made at this site before; NULL: there is none.
  Loop *find_at(op_loop_site &site, const LoopCall &call);
  // The same, wherever it was called. Loops are shared between sites.
  Loop *find(const LoopCall &call);
  // Prepares the loop of a call. Collective.
  Loop &add(const LoopCall &call);
  // From now on find_at() finds the loop at this site, which lives as long as the object.
  void remember(op_loop_site &site, Loop &loop);
  // The loop of a call with the elements up to a level, prepared at the first call (layers/layers.hpp). first: its core
  // may run while messages travel. Collective.
  Loop &in_layers(const ChainCall &call, int level, bool first, std::vector<CopiesWanted> wanted);

  void forget_all();
  bool any_invalid() const; // sets, maps or dats of some loop have changed
  // Loops, plans and exchanges of sets, maps or dats whose revision has changed.
  void forget_changed();
  void forget_layers();
  // Rows of this map (ascending) lead elsewhere: its plans are adapted, and its loops take them before their next run.
  void map_rewritten(const Map &map, std::span<const int> rows);
  // The particles of the set have moved: plans of their loops are made anew.
  void particles_moved(Set &set);

  HaloExchanges &exchanges() { return exchanges_; }

 private:
  struct SiteMemory { // what a site's private slot points to: its loops, the last one used first
    std::vector<Loop *> loops;
  };
  struct LoopInLayers {
    const Loop *base;
    int level;
    bool first;
    std::vector<CopiesWanted> wanted;
    std::unique_ptr<Loop> loop;
  };
  SiteMemory &memory_of(op_loop_site &site);
  std::unique_ptr<Loop> prepare(const LoopCall &call);
  void know_new();

  Mesh &mesh_;
  const LoopOptions options_;
  Trace *trace_; // NULL = no trace
  StatsTable &stats_;
  LoopReport &report_;
  const std::uint64_t id_;
  PlanCache plans_;
  std::map<const Set *, PlanCache> particle_plans_; // apart, since they last until the next move
  HaloExchanges exchanges_;
  LayerParts layer_parts_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<LoopInLayers> in_layers_;
  std::vector<std::unique_ptr<SiteMemory>> sites_;
  std::unordered_map<std::uint64_t, std::vector<Loop *>> by_hash_; // by their kernel, name and set
  std::vector<Revision> map_revisions_, set_revisions_;            // from which plans were made
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
