#include "loop/layers/layered_chain.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plan/plan.hpp"

namespace op2::core {

namespace {

constexpr std::size_t most_layered = 64;
constexpr int fewer_layers = 2; // to be tried beside as many as a chain can use
constexpr double small = 0.02;  // part of what a chain moves, of a loop whose form does not matter

// An executor with threads says so of its plans; one whose way is being measured, or has atomic additions, does not.
bool keeps_order(const Loop &loop) {
  for (std::size_t p = 0; p < loop.parts().size(); ++p) {
    if (loop.prepared().executor().runs_chains() && !loop.prepared().part(static_cast<int>(p)).in_chains) return false;
    const int kind = loop.prepared().part(static_cast<int>(p)).plan.kind;
    if (kind != OP_PLAN_NONE && kind != OP_PLAN_BLOCKS && !is_owner_kind(kind)) return false;
  }
  return true;
}

// An executor with code of its own, such as a GPU, that adds up in an order that is known, or in any that chance gives.
bool adds_alike(const Loop &loop) {
  const auto only_adds = [](const LoopArg &arg) {
    return !arg.dat || !arg.through_map() || !writes_new(arg.access) || arg.access == OP_INC;
  };
  if (!std::ranges::all_of(loop.signature().args, only_adds)) return false;
  if (!loop.prepared().executor().caps().deterministic) return true;
  for (std::size_t p = 0; p < loop.parts().size(); ++p)
    if (!loop.prepared().part(static_cast<int>(p)).adds_in_order) return false;
  return true;
}

// An executor that compares ways of its own asks for plans again.
bool is_compared(const Loop &loop) {
  return loop.prepared().compares() || (loop.prepared().plans_open() && !loop.prepared().executor().caps().host_code);
}

LayerLoop accesses_of(const Loop &loop) {
  LayerLoop out;
  const LoopSignature &what = loop.signature();
  for (const LoopArg &arg : what.args) {
    out.indirect = out.indirect || arg.map;
    if (arg.dat) out.args.push_back({arg.dat->index, arg.through_map(), arg.access});
  }
  for (const DatUse &use : what.dats)
    if (use.access == OP_WRITE && !use.partial) out.rewritten.push_back(use.dat->index);
  return out;
}

// An executed copy of a loop that reduces keeps the order of its row only in layer 1.
bool goes_too_far(std::span<const ChainCall> calls, const LayerPlan &plan) {
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].loop->reduces() && calls[i].loop->signature().conflicts && plan.executed[i] > 1) return true;
  return false;
}

} // namespace

std::string why_alone(const Loop &loop) {
  const LoopSignature &what = loop.signature();
  if (what.shares) return text("elements of loop '", loop.name(), "' use a variable one after another");
  if (!loop.prepared().on_executor()) return text("loop '", loop.name(), "' runs on another executor");
  if (!fits_in_layers(accesses_of(loop))) return text("loop '", loop.name(), "' has OP_RW through a map");
  const bool alike = loop.prepared().executor().takes_parts() ? keeps_order(loop) : adds_alike(loop);
  if (what.conflicts && !alike) return text("loop '", loop.name(), "' does not keep an order of its elements");
  return "";
}

std::vector<LayerGroup> groups_of(std::span<const ChainCall> calls, std::span<const char> alone, int most_layers) {
  std::vector<LayerGroup> out;
  std::vector<LayerLoop> loops;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    loops.push_back(accesses_of(*calls[i].loop));
    if (!alone[i] && !out.empty() && out.back().last == i && loops.size() > 1) {
      LayerPlan plan = plan_layers(loops);
      if (plan.depth <= most_layers && !goes_too_far(calls.subspan(out.back().first, loops.size()), plan)) {
        out.back().plan = std::move(plan);
        out.back().last = i + 1;
        continue;
      }
    }
    out.push_back({i, i + 1, {}, {}});
    loops.erase(loops.begin(), loops.end() - (alone[i] ? 0 : 1));
  }
  return out;
}

Dat &dat_of(std::span<const ChainCall> calls, int number) {
  for (const ChainCall &call : calls)
    for (const LoopArg &arg : call.loop->signature().args)
      if (arg.dat && arg.dat->index == number) return *arg.dat;
  fail(OP_ERR_INTERNAL, "a chain has no dat ", number);
}

LayeredChain::LayeredChain(std::span<const ChainCall> calls, const LayerOptions &options)
    : options_(options), groups_(1), most_(options.most) {
  now(calls);
}

void LayeredChain::now(std::span<const ChainCall> calls) {
  loops_.clear();
  for (const ChainCall &call : calls) loops_.push_back(call.loop);
  for (std::vector<LayerGroup> &groups : groups_)
    for (LayerGroup &group : groups) group.loops.clear(), group.tiles.reset(), group.whole.reset();
}

bool LayeredChain::is(std::span<const ChainCall> calls) const {
  return std::ranges::equal(loops_, calls, {}, {}, &ChainCall::loop);
}

int LayeredChain::depth() const {
  int out = 1;
  for (const LayerGroup &group : groups_[choice_.now()]) out = std::max(out, group.plan.depth);
  return out;
}

double LayeredChain::tile_bytes() const {
  if (options_.at_once) return 0;
  if (options_.tile_bytes > 0) return options_.tile_bytes;
  if (paged_ && choice_.now() > 0)
    return tile_sizes(options_.caches, chain_threads(loops_.front()->prepared().executor()))[1];
  return choice_.way(choice_.now()).tile_bytes;
}

// Some process has an executor that takes pieces of loops, and more data than its caches hold, or tasks, which need not
// wait for messages.
LayeredChain::Tiles LayeredChain::wanted_tiles(Communicator &communicator) const {
  if (options_.at_once) return Tiles::none;
  const Executor &executor = loops_.front()->prepared().executor();
  const op_exec_caps &caps = executor.caps();
  const bool given = options_.tile_bytes > 0 || paged_;
  const bool pieces = caps.host_code ? caps.concurrency == 1 || executor.runs_chains()
                                     : paged_ && loops_.front()->prepared().only_verifies_pieces();
  const bool wanted = pieces && (given || caps.tasks != 0 || bytes_of_rows(loops_) >= options_.caches.own);
  if (communicator.max(wanted ? 1 : 0) == 0) return Tiles::none;
  return given ? Tiles::given : Tiles::by_cache;
}

// Behind the first run: the loops have their forms and plans.
void LayeredChain::find_ways(std::span<const ChainCall> calls, Communicator &communicator, int paged) {
  std::string why;
  std::vector<int> refused; // by some process: plans of threads differ
  for (const Loop *loop : loops_) {
    const std::string alone = why_alone(*loop);
    refused.push_back(alone.empty() ? 0 : 1);
    if (why.empty()) why = alone;
  }
  communicator.allreduce(refused.data(), refused.size(), OP_TYPE_INT, OP_COMM_MAX);
  const std::vector<char> alone(refused.begin(), refused.end());
  std::vector<LayerWay> ways;
  // Loops that bring their rows by page faults are not worth a trial.
  paged_ = !options_.at_once && communicator.max(paged) > 0;
  if (paged_) most_ = static_cast<int>(communicator.min(paged > 0 ? std::min(paged, most_) : most_));
  const bool measured = options_.measured && !paged_;
  const Tiles tiles = wanted_tiles(communicator);
  // Fewer layers that lead to the same number of groups do as well.
  const std::array<double, 3> sizes = tile_sizes(options_.caches, chain_threads(loops_.front()->prepared().executor()));
  const auto add = [&](int most, double tile_bytes) {
    std::vector<LayerGroup> groups = groups_of(calls, alone, most);
    if (std::ranges::none_of(groups, &LayerGroup::together)) return;
    if (!ways.empty() && ways.back().tile_bytes == tile_bytes && groups_.back().size() == groups.size())
      ways.pop_back(), groups_.pop_back();
    ways.push_back({most, tile_bytes, static_cast<std::int64_t>(groups.size()), tiles == Tiles::given});
    ways.back().at_once = options_.at_once;
    groups_.push_back(std::move(groups));
  };
  const int fewer = std::min(fewer_layers, most_);
  add(most_, 0);
  if (measured) add(fewer, 0);
  if (measured && options_.at_once) add(1, 0);
  if (tiles == Tiles::by_cache) {
    add(most_, sizes[2]);
    if (measured)
      for (const int most : {most_ / 2, fewer, 1})
        if (most > 0) add(most, sizes[2]);
    for (const std::size_t size : {1u, 0u}) add(measured ? std::max(most_ / 2, 1) : most_, sizes[size]);
  }
  if (!ways.empty()) return choice_.add_candidates(ways, measured);
  if (why.empty())
    why = core::text("no two of its loops fit into ", most_, " layers of copies, or some process keeps them apart");
  choice_.disable(std::move(why));
}

std::vector<LayerGroup> *LayeredChain::next_groups(std::span<const ChainCall> calls, Communicator &communicator,
                                                   int paged) {
  if (choice_.way(0).runs == 0 && !paged_) return nullptr;
  if (!choice_.offered()) find_ways(calls, communicator, paged);
  return choice_.now() == 0 ? nullptr : &groups_[choice_.now()];
}

void LayeredChain::take_fewer_layers(std::span<const ChainCall> calls, Communicator &communicator) {
  choice_ = LayerChoice();
  groups_.resize(1);
  most_ /= 2;
  if (most_ > 0) return find_ways(calls, communicator, most_);
  choice_.disable("a tile of several loops needs more memory than the limit allows");
}

// No process compares forms of a loop that matters. Each depth of a loop is a loop of its own to them.
bool LayeredChain::settled(Communicator &communicator) const {
  std::vector<Loop *> ran;
  for (const LayerGroup &group : groups_[choice_.now()]) ran.insert(ran.end(), group.loops.begin(), group.loops.end());
  if (ran.empty()) ran = loops_;
  double all = 0;
  for (const Loop *loop : ran) all += loop->bytes_per_call();
  const bool compares = std::ranges::any_of(
      ran, [&](const Loop *loop) { return is_compared(*loop) && loop->bytes_per_call() > small * all; });
  return communicator.max(compares ? 1 : 0) == 0;
}

void LayeredChain::record_time(const LayerChoice::Run &measured, Communicator &communicator) {
  LayerChoice::Run run = measured;
  if (choice_.compares()) run.settled = settled(communicator);
  const bool chosen = choice_.record(run, [&](std::span<double> values) {
    communicator.allreduce(values.data(), values.size(), OP_TYPE_DOUBLE, OP_COMM_MAX);
  });
  if (chosen) reported_ = false;
}

// Once tiles have been found, or the executor has got loops whose ways it no longer compares.
bool LayeredChain::to_report() {
  const auto settled = [](const Loop *loop) { return !loop->prepared().plans_open(); };
  const auto found = [&](const LayerGroup &group) {
    return !group.together() || group.tiles || (group.whole && std::ranges::all_of(group.loops, settled));
  };
  const bool waits = choice_.now() > 0 && (tile_bytes() > 0 || options_.at_once);
  if (!choice_.decided() || (waits && !std::ranges::all_of(groups_[choice_.now()], found))) return false;
  return !std::exchange(reported_, true);
}

std::string LayeredChain::on_executor() const {
  std::vector<std::pair<std::string, int>> forms; // and how many groups have them
  for (const LayerGroup &group : groups_[choice_.now()]) {
    if (!group.whole) continue;
    const std::string form = group.whole->text();
    const auto known = std::ranges::find(forms, form, &std::pair<std::string, int>::first);
    if (known == forms.end())
      forms.emplace_back(form, 1);
    else
      ++known->second;
  }
  std::string out;
  for (const auto &[form, groups] : forms)
    out += core::text(out.empty() ? "" : "; ", groups > 1 ? core::text(groups, " times ") : "", form);
  return out.empty() ? out : core::text("on executor ", loops_.front()->prepared().executor().name(), ": ", out);
}

std::string LayeredChain::text() const {
  const std::vector<LayerGroup> &groups = groups_[choice_.now()];
  std::string out = core::text(loops_.size(), " loops, ");
  if (choice_.now() == 0)
    out += core::text("loop after loop", choice_.why().empty() ? "" : ": ", choice_.why());
  else
    out += core::text("in ", groups.size(), " groups with ", depth(), " layers of copies");
  int tiles = 0;
  std::size_t pieces = 0;
  double seconds = 0;
  std::string why, threads; // of the first group
  for (const LayerGroup &group : groups) {
    if (!group.tiles) continue;
    if (threads.empty()) threads = group.tiles->form();
    seconds += group.tiles->seconds();
    tiles += group.tiles->tiles();
    pieces += group.tiles->pieces();
    if (why.empty()) why = group.tiles->why();
  }
  if (tiles > 0)
    out +=
        core::text(", ", tiles, " tiles, ", pieces, " pieces, ", threads, "found in ", fixed(1e3 * seconds, 3), " ms");
  else if (!why.empty())
    out += core::text(", one after the other: ", why);
  else if (const std::string together = on_executor(); !together.empty())
    out += core::text(", ", together);
  return out + choice_.figures();
}

LayeredChain &LayeredChains::find(std::span<const ChainCall> calls, bool &is_new) {
  const auto known = std::ranges::find_if(chains_, [&](const LayeredChain &chain) { return chain.is(calls); });
  is_new = known == chains_.end();
  if (!is_new) {
    chains_.splice(chains_.begin(), chains_, known);
    return chains_.front();
  }
  if (chains_.size() == most_layered) chains_.pop_back();
  return chains_.emplace_front(calls, options_);
}

LayeredChain &LayeredChains::adopt(std::list<LayeredChain> chain, std::span<const ChainCall> calls) {
  chain.front().now(calls);
  chains_.splice(chains_.begin(), chain);
  return chains_.front();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
