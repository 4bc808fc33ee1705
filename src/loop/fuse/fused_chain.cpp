#include "loop/fuse/fused_chain.hpp"

#include <algorithm>
#include <exception>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::size_t apart = 0, merged = 1; // the ways
constexpr double one_tile = 1e18;            // bytes

WayTimes::Rule rule_of_fusing() {
  WayTimes::Rule rule = WayTimes::of_chains();
  rule.enough = 20e-3; // they are close to each other
  return rule;
}

} // namespace

FusedChain::FusedChain(std::span<const ChainCall> calls, const Chain &apart, bool measured, const Prepare &prepare)
    : groups_(fused_groups(calls)),
      tile_bytes_(apart.tile_bytes()),
      ahead_(apart.asks_ahead()),
      measured_(measured),
      apart_tiles_(apart.tiles()),
      times_(2, rule_of_fusing()) {
  // Loops that run colour by colour stay so: time must not change the order of increments.
  const auto in_pieces = [](const ChainCall &call) { return call.loop->why_not_in_pieces().empty(); };
  if (std::ranges::none_of(groups_, &FusedGroup::together) || !std::ranges::all_of(calls, in_pieces)) {
    give_up();
    return;
  }
  try {
    for (const FusedGroup &group : groups_)
      merged_of_.push_back(
          group.together() ? merge(calls.subspan(group.first, group.last - group.first), group, prepare) : none);
  } catch (const std::exception &) { // the loops can do without
    give_up();
  }
  args_.resize(groups_.size());
  for (const FusedGroup &group : groups_) reducing_.push_back(group.reduces);
}

std::size_t FusedChain::merge(std::span<const ChainCall> part, const FusedGroup &group, const Prepare &prepare) {
  for (std::size_t m = 0; m < merged_.size(); ++m)
    if (merged_[m].kernel->is(part)) return m;
  auto kernel = std::make_unique<MergedKernel>(part, !measured_);
  std::vector<op_arg> args;
  std::unique_ptr<Loop> loop = prepare(kernel->call(part, args));
  names_ += (names_.empty() ? "" : ", ") + kernel->name();
  merged_.push_back({std::move(kernel), std::move(loop), group.reduces - group.first});
  return merged_.size() - 1;
}

void FusedChain::give_up() {
  given_up_ = true;
  chosen_ = told_ = false;
  chain_.reset();
}

// Whether no merged loop waits for its vectors. Until then, its scalar code would be slower than the loops apart.
bool FusedChain::arrived() const {
  return std::ranges::all_of(merged_, [](const Merged &each) {
    const FastForm &code = each.loop->how().fast_form();
    return (!code.waiting() || code.arrived()) && (!code.provisional() || code.draft().pending->ready());
  });
}

// A loop that reduces must do so with as many lanes as alone, which shape its sums. Scalar code that took the place of
// vectors may have others.
bool FusedChain::usable() const {
  return std::ranges::all_of(merged_, [](const Merged &each) {
    const FastForm &code = each.loop->how().fast_form();
    if (!code.range() || !each.loop->why_not_in_pieces().empty()) return false;
    if (!each.loop->reduces()) return true;
    const bool as_proposed = code.lanes() == 0 || code.provisional() || code.form().starts_with("vector");
    return as_proposed && code.lanes() == each.kernel->loop(each.reduces).how().fast_form().lanes();
  });
}

// The calls of this run, with the code and plans that there are now. False: it cannot be one of merged loops.
bool FusedChain::renew(std::span<const ChainCall> calls) {
  calls_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const FusedGroup &group = groups_[g];
    if (merged_of_[g] == none) {
      calls_.push_back(calls[group.first]);
      continue;
    }
    const Merged &each = merged_[merged_of_[g]];
    const LoopCall call = each.kernel->call(calls.subspan(group.first, group.last - group.first), args_[g]);
    each.loop->make_current(call);
    if (each.loop->how().plans_open()) {
      counts_ = false;
      return false;
    }
    calls_.push_back({each.loop.get(), call});
  }
  if (!usable()) {
    give_up();
    return false;
  }
  if (!chain_) {
    chain_ = std::make_unique<Chain>(calls_, tile_bytes_ > 0 ? tile_bytes_ : one_tile, Caches{0, 0});
    if (ahead_) chain_->choose_ahead();
  }
  if (chain_->next_tiles() && !(measured_ && chain_->takes_much_memory())) return true;
  give_up();
  return false;
}

bool FusedChain::settled(std::span<const ChainCall> calls) const {
  const auto compares = [](const Loop &loop) { return loop.how().compares(); };
  return std::ranges::none_of(calls, [&](const ChainCall &call) { return compares(*call.loop); }) &&
         std::ranges::none_of(merged_, [&](const Merged &each) { return compares(*each.loop); });
}

bool FusedChain::next(std::span<const ChainCall> calls) {
  now_ = counts_ = false;
  if (given_up_ || (measured_ && !chosen_ && !arrived())) return false;
  counts_ = measured_ && settled(calls);
  // A merged loop takes its vectors, and compares its forms, only when it runs.
  const bool wanted = !measured_ || (counts_ ? times_.next() == merged : !times_.decided() || chosen_);
  try {
    now_ = wanted && renew(calls);
  } catch (const std::exception &) { // the loops can do without, as without memory for more tables
    give_up();
    counts_ = false;
  }
  return now_;
}

void FusedChain::took(double seconds) {
  if (counts_ && !given_up_) times_.note(seconds);
  counts_ = now_ = false;
  if (given_up_ || times_.compares()) return;
  const bool before = std::exchange(chosen_, times_.next() == merged);
  if (chosen_ != before) told_ = false;
}

bool FusedChain::told() {
  const bool known = given_up_ || (measured_ ? times_.decided() : chain_ != nullptr);
  return std::exchange(told_, known) || !known;
}

void FusedChain::tell(TiledChainStats &out) const {
  if (given_up_) return;
  std::vector<TiledChainStats::Way> ways = out.ways;
  const double bytes_apart = out.schedule_bytes; // both are kept, to be looked at again
  if (times_.decided()) {
    ways.push_back({apart_tiles_, times_.least(apart), ahead_});
    ways.push_back({chain_->tiles(), times_.least(merged), ahead_, true});
  }
  if ((chosen_ || !measured_) && chain_) {
    const double found_before = out.found_seconds;
    chain_->tell(out);
    out.found_seconds += found_before;
    out.fused = names_;
  }
  out.schedule_bytes = bytes_apart + (chain_ ? chain_->schedule_bytes() : 0);
  out.ways = std::move(ways);
}

std::string FusedChain::text() const {
  if (given_up_) return "";
  std::string out = core::text(names_, chosen_ || !measured_ ? " as one loop" : " one after the other");
  if (times_.decided())
    out += core::text("; ", fixed(1e3 * times_.least(apart), 3), " ms one after the other, ",
                      fixed(1e3 * times_.least(merged), 3), " ms as one loop");
  return out;
}

} // namespace op2::core
