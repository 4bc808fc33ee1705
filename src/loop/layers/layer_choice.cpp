#include "loop/layers/layer_choice.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr int most_unsettled = 200; // runs that do not count, of all ways
constexpr double least_wait = 0.03; // part of the time that loops wait for messages: with less, layers save nothing

} // namespace

void LayerChoice::add_candidates(std::span<const LayerWay> others, bool measured) {
  ways_.insert(ways_.end(), others.begin(), others.end());
  offered_ = true;
  if (measured) return;
  ways_.front().out = true;
  compare();
}

void LayerChoice::compare() {
  times_.emplace(ways_.size(), WayTimes::of_chains());
  for (std::size_t w = 0; w < ways_.size(); ++w)
    if (ways_[w].out) times_->leave_out(w);
  decided_ = times_->decided();
  now_ = chosen_ = times_->next();
}

void LayerChoice::disable(std::string why) {
  why_ = std::move(why);
  now_ = 0;
  offered_ = decided_ = true;
}

bool LayerChoice::record(const Run &run, const Largest &largest) {
  LayerWay &way = ways_[now_];
  way.exchanges = run.exchanges;
  if (way.most == 0) apart_ = run.messages;
  if (way.runs > 0 && compares() && !run.settled && ++unsettled_ < most_unsettled) return false;
  ++way.runs;
  if (!offered_ || (decided_ && !times_)) return false;
  if (!times_) {
    if (way.runs < 2) return false;
    if (!worth_a_trial(run, largest)) return true;
    compare();
  }
  const bool compared = times_->compares();
  times_->note(run.seconds, largest);
  now_ = times_->next();
  if (!compared || times_->compares() || (decided_ && now_ == chosen_)) return false;
  chosen_ = now_;
  decided_ = true;
  unsettled_ = 0;
  figures_ = measured();
  return true;
}

// After the second run loop after loop: what the others can save. The same on all processes. Tiles may save what
// memory takes, whatever messages do.
bool LayerChoice::worth_a_trial(const Run &run, const Largest &largest) {
  const std::int64_t exchanges = ways_.front().exchanges;
  for (LayerWay &each : ways_)
    each.out = each.most > 0 && !each.in_tiles() && !each.at_once && each.groups >= exchanges; // it saves none
  // Whoever has most to do waits least. Some may not know.
  double least = run.waited < 0 ? 1 : -run.waited / std::max(run.seconds, 1e-9);
  largest({&least, 1});
  const double share = -least;
  const auto tried = [&] { return std::ranges::any_of(ways_, [](const LayerWay &w) { return w.most > 0 && !w.out; }); };
  if (!tried()) {
    disable(core::text("its loops exchange only ", exchanges, " times"));
  } else if (share >= 0 && share < least_wait) {
    for (LayerWay &each : ways_) each.out = each.out || (each.most > 0 && !each.in_tiles());
    if (!tried()) disable(core::text("messages take ", fixed(100 * share, 1), " % of its time"));
  }
  return !decided_;
}

std::string LayerChoice::measured() const {
  std::string out;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const LayerWay &each = ways_[w];
    if (!times_->measured(w)) continue;
    out += core::text(out.empty() ? "; " : ", ", fixed(1e3 * times_->least(w), 3), " ms ",
                      each.most == 0 ? "loop after loop " : "", "with ", each.exchanges, " exchanges",
                      each.tiles            ? " in tiles of the given size"
                      : each.tile_bytes > 0 ? core::text(" in tiles of ", fixed(each.tile_bytes / 1024, 0), " KiB")
                                            : "");
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
