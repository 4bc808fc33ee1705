#include "loop/layers/layer_choice.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr int runs_of_each_way = 4; // of each way; the first does not count, of the others the fastest
constexpr double must_save = 0.98;  // of the time of the first way: what another one must save
constexpr int most_unsettled = 200; // runs that do not count, of all ways
constexpr double least_wait = 0.03; // part of the time that loops wait for messages: with less, layers save nothing

} // namespace

void LayerChoice::offer(std::span<const LayerWay> others, bool measured) {
  ways_.insert(ways_.end(), others.begin(), others.end());
  offered_ = true;
  if (measured) return;
  first_ = now_ = 1;
  decided_ = ways_.size() == 2;
}

void LayerChoice::stay(std::string why) {
  why_ = std::move(why);
  now_ = 0;
  offered_ = decided_ = true;
}

std::size_t LayerChoice::next_of(std::size_t way) const {
  do
    if (++way == ways_.size()) way = first_;
  while (ways_[way].out);
  return way;
}

void LayerChoice::took(const Run &run, const Largest &largest) {
  LayerWay &way = ways_[now_];
  way.exchanges = run.exchanges;
  if (way.most == 0) apart_ = run.messages;
  if (way.runs > 0 && !decided_ && !run.settled && ++unsettled_ < most_unsettled) return;
  if (way.runs++ > 0) way.least = way.runs == 2 ? run.seconds : std::min(way.least, run.seconds);
  if (decided_ || !offered_) return;
  if (now_ == 0 && way.runs == 2 && !worth_a_trial(run, largest)) return;
  now_ = next_of(now_);
  if (now_ == first_ && ways_[first_].runs >= runs_of_each_way) decide(largest);
}

// After the second run loop after loop: what the others can save. The same on all processes. Tiles may save what
// memory takes, whatever messages do.
bool LayerChoice::worth_a_trial(const Run &run, const Largest &largest) {
  const std::int64_t exchanges = ways_.front().exchanges;
  for (LayerWay &each : ways_)
    each.out = each.most > 0 && !each.in_tiles() && each.groups >= exchanges; // it has no exchange to save
  // Whoever has most to do waits least. Some may not know.
  double least = run.waited < 0 ? 1 : -run.waited / std::max(run.seconds, 1e-9);
  largest({&least, 1});
  const double share = -least;
  const auto tried = [&] { return std::ranges::any_of(ways_, [](const LayerWay &w) { return w.most > 0 && !w.out; }); };
  if (!tried()) {
    stay(core::text("its loops exchange only ", exchanges, " times"));
  } else if (share >= 0 && share < least_wait) {
    for (LayerWay &each : ways_) each.out = each.out || (each.most > 0 && !each.in_tiles());
    if (!tried()) stay(core::text("messages take ", fixed(100 * share, 1), " % of its time"));
  }
  return !decided_;
}

// The slowest process counts.
void LayerChoice::decide(const Largest &largest) {
  std::vector<double> seconds;
  for (const LayerWay &way : ways_) seconds.push_back(way.least);
  largest(seconds);
  std::size_t best = first_;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    ways_[w].least = seconds[w];
    if (w <= first_ || ways_[w].out) continue;
    if (seconds[w] < (best == first_ ? must_save : 1.0) * seconds[best]) best = w;
  }
  now_ = best;
  decided_ = compared_ = true;
}

std::string LayerChoice::figures() const {
  std::string out;
  for (std::size_t w = first_; compared_ && w < ways_.size(); ++w) {
    const LayerWay &each = ways_[w];
    if (each.out) continue;
    out += core::text(out.empty() ? "; " : ", ", fixed(1e3 * each.least, 3), " ms ",
                      each.most == 0 ? "loop after loop " : "", "with ", each.exchanges, " exchanges",
                      each.tiles ? " in tiles of the given size"
                      : each.part_of_cache > 0
                          ? core::text(" in tiles of ", fixed(100 * each.part_of_cache, 0), " % of the cache")
                          : "");
  }
  return out;
}

} // namespace op2::core
