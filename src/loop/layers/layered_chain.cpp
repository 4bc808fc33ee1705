#include "loop/layers/layered_chain.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plan/plan.hpp"

namespace op2::core {

namespace {

constexpr std::size_t most_layered = 64;
constexpr int fewer_layers = 2;     // to be tried beside as many as a chain can use
constexpr int runs_of_each_way = 4; // of each way; the first does not count, of the others the fastest
constexpr double must_save = 0.98;  // layers must save this much
constexpr double least_wait = 0.03; // part of the time that loops wait for messages: with less, nothing is tried

// An executor with threads says so of its plans; one whose way is being measured, or has atomic additions, does not.
bool keeps_order(const Loop &loop) {
  for (std::size_t p = 0; p < loop.parts().size(); ++p) {
    if (loop.how().executor().runs_chains() && !loop.how().part(static_cast<int>(p)).in_chains) return false;
    const int kind = loop.how().part(static_cast<int>(p)).plan.kind;
    if (kind != OP_PLAN_NONE && kind != OP_PLAN_BLOCKS && !is_owner_kind(kind)) return false;
  }
  return true;
}

LayerLoop accesses_of(const Loop &loop) {
  LayerLoop out;
  const LoopSignature &what = loop.what();
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
    if (calls[i].loop->reduces() && calls[i].loop->what().conflicts && plan.executed[i] > 1) return true;
  return false;
}

} // namespace

std::string why_alone(const Loop &loop) {
  const LoopSignature &what = loop.what();
  if (what.shares) return text("elements of loop '", loop.name(), "' use a variable one after another");
  if (!loop.how().on_executor()) return text("loop '", loop.name(), "' runs on another executor");
  if (!fits_in_layers(accesses_of(loop))) return text("loop '", loop.name(), "' has OP_RW through a map");
  if (what.conflicts && !keeps_order(loop))
    return text("loop '", loop.name(), "' does not keep an order of its elements");
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
    for (const LoopArg &arg : call.loop->what().args)
      if (arg.dat && arg.dat->index == number) return *arg.dat;
  fail(OP_ERR_INTERNAL, "a chain has no dat ", number);
}

LayeredChain::LayeredChain(std::span<const ChainCall> calls, const LayerOptions &options) : options_(options) {
  now(calls);
  ways_.push_back({0, {}});
}

void LayeredChain::now(std::span<const ChainCall> calls) {
  loops_.clear();
  for (const ChainCall &call : calls) loops_.push_back(call.loop);
  for (Way &way : ways_)
    for (LayerGroup &group : way.groups) group.loops.clear();
}

bool LayeredChain::is(std::span<const ChainCall> calls) const {
  return std::ranges::equal(loops_, calls, {}, {}, &ChainCall::loop);
}

int LayeredChain::Way::depth() const {
  int out = 1;
  for (const LayerGroup &group : groups) out = std::max(out, group.plan.depth);
  return out;
}

int LayeredChain::depth() const { return ways_[now_].depth(); }

// Behind the first run: the loops have their forms and plans.
void LayeredChain::find_ways(std::span<const ChainCall> calls, Communicator &communicator) {
  found_ = true;
  std::vector<int> refused; // by some process: plans of threads differ
  for (const Loop *loop : loops_) {
    refused.push_back(why_alone(*loop).empty() ? 0 : 1);
    if (why_.empty()) why_ = why_alone(*loop);
  }
  communicator.allreduce(refused.data(), refused.size(), OP_TYPE_INT, OP_COMM_MAX);
  const std::vector<char> alone(refused.begin(), refused.end());
  const auto add = [&](int most) {
    std::vector<LayerGroup> groups = groups_of(calls, alone, most);
    if (std::ranges::none_of(groups, &LayerGroup::together)) return;
    if (ways_.size() > 1 && ways_.back().groups.size() == groups.size()) ways_.pop_back();
    ways_.push_back({most, std::move(groups)});
  };
  if (options_.measured && fewer_layers < options_.most) add(options_.most);
  add(options_.measured ? std::min(fewer_layers, options_.most) : options_.most);
  if (ways_.size() > 1) {
    why_.clear();
    return;
  }
  if (why_.empty())
    why_ = core::text("no two of its loops fit into ", options_.most,
                      " layers of copies, or some process keeps them apart");
  decided_ = true;
}

std::vector<LayerGroup> *LayeredChain::next_groups(std::span<const ChainCall> calls, Communicator &communicator) {
  if (ways_.front().runs == 0) return nullptr;
  if (!found_) {
    find_ways(calls, communicator);
    if (!decided_ && !options_.measured) best_ = now_ = 1, decided_ = true;
  }
  return ways_[now_].most == 0 ? nullptr : &ways_[now_].groups;
}

// Loop after loop.
void LayeredChain::stay(std::string why) {
  why_ = std::move(why);
  now_ = 0;
  decided_ = true;
}

void LayeredChain::took(const Run &run, Communicator &communicator) {
  Way &way = ways_[now_];
  way.exchanges = run.exchanges;
  if (way.most == 0) apart_ = run.messages;
  if (way.runs++ > 0) way.least = way.runs == 2 ? run.seconds : std::min(way.least, run.seconds);
  if (decided_ || !found_) return;
  if (now_ == 0 && ways_.front().runs == 2 && !worth_a_trial(run, communicator)) return;
  now_ = (now_ + 1) % ways_.size();
  if (now_ == 0 && ways_.back().runs >= runs_of_each_way) decide(communicator);
}

// After the second run loop after loop: whether layers can save anything. The same on all processes.
bool LayeredChain::worth_a_trial(const Run &run, Communicator &communicator) {
  std::erase_if(ways_, [&](const Way &each) { // what has no exchange to save
    return each.most > 0 && static_cast<std::int64_t>(each.groups.size()) >= ways_.front().exchanges;
  });
  // Whoever has most to do waits least. Some may not know.
  double share = run.waited < 0 ? -1 : run.waited / std::max(run.seconds, 1e-9);
  communicator.allreduce(&share, 1, OP_TYPE_DOUBLE, OP_COMM_MIN);
  if (ways_.size() == 1)
    stay(core::text("its loops exchange only ", ways_.front().exchanges, " times"));
  else if (share >= 0 && share < least_wait)
    stay(core::text("messages take ", fixed(100 * share, 1), " % of its time"));
  return !decided_;
}

// The slowest process counts.
void LayeredChain::decide(Communicator &communicator) {
  std::vector<double> seconds;
  for (const Way &way : ways_) seconds.push_back(way.least);
  communicator.allreduce(seconds.data(), seconds.size(), OP_TYPE_DOUBLE, OP_COMM_MAX);
  for (std::size_t w = 0; w < ways_.size(); ++w) ways_[w].least = seconds[w];
  for (std::size_t w = 1; w < ways_.size(); ++w)
    if (ways_[w].least < (best_ == 0 ? must_save : 1.0) * ways_[best_].least) best_ = w;
  now_ = best_;
  decided_ = true;
}

bool LayeredChain::told() { return std::exchange(told_, decided_); }

std::string LayeredChain::text() const {
  const Way &way = ways_[best_];
  std::string out = core::text(loops_.size(), " loops, ");
  if (way.most > 0)
    out += core::text("in ", way.groups.size(), " groups with ", way.depth(), " layers of copies");
  else
    out += core::text("loop after loop", why_.empty() ? "" : ": ", why_);
  if (options_.measured && why_.empty())
    for (const Way &each : ways_)
      out += core::text(&each == &ways_.front() ? "; " : ", ", fixed(1e3 * each.least, 3), " ms ",
                        each.most == 0 ? core::text("loop after loop with ", each.exchanges, " exchanges")
                                       : core::text("with ", each.exchanges, " in ", each.depth(), " layers"));
  return out;
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
