#include "loop/choice/way_times.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double short_run = 1e-3; // seconds
constexpr double certain_ratio =
    3; // times drop_ratio: a way that is so much slower is dropped though its shortest time has not come twice
constexpr double first_look = 8;        // runs after the decision; then twice as many, and so on
constexpr double part_for_looks = 0.01; // of the time since the last look, which looking again may take

} // namespace

WayTimes::Rule WayTimes::of_chains() {
  Rule out;
  out.uncounted = 1; // it finds tiles, or prepares loops
  out.most = 8;
  out.min_seconds = 10e-3;
  out.close = 0.03;
  out.repeats = 0.03;
  out.drop_ratio = 0.15;
  out.far_off = out.most_extra = infinite;
  out.again = true;
  return out;
}

WayTimes::WayTimes(std::size_t ways, const Rule &rule) : rule_(rule), ways_(ways, Way{.least = infinite}) {
  done_ = decided_ = ways == 1;
}

void WayTimes::leave_out(std::size_t way) {
  ways_[way].in = false;
  ways_[way].out = true;
  const auto next_in = [&](std::size_t from) {
    while (!ways_[from].in) from = (from + 1) % ways_.size();
    return from;
  };
  next_ = next_in(next_);
  first_ = next_in(first_);
  if (alone()) decide();
}

bool WayTimes::measured(std::size_t way) const { return ways_[way].least < infinite; }

bool WayTimes::alone() const { return std::ranges::count_if(ways_, &Way::in) == 1; }

bool WayTimes::all_tried() const {
  return std::ranges::all_of(
      ways_, [&](const Way &way) { return !way.in || way.runs >= rule_.uncounted + rule_.confirm_rounds; });
}

std::size_t WayTimes::leader() const {
  std::size_t out = first_;
  for (std::size_t w = 0; w < ways_.size(); ++w)
    if (ways_[w].in && (!ways_[out].in || ways_[w].least < ways_[out].least)) out = w;
  return out;
}

int WayTimes::rounds() const {
  return std::clamp(static_cast<int>(rule_.min_seconds / std::max(best(), 1e-9)), rule_.fewest, rule_.most);
}

// What a way has taken twice was hardly a matter of chance.
bool WayTimes::repeats(const Way &way) const {
  const auto as_short = [limit = (1 + rule_.repeats) * way.least](double seconds) { return seconds <= limit; };
  return std::ranges::count_if(way.seconds, as_short) > 1;
}

bool WayTimes::sure() const {
  return rounds_agree() && std::ranges::all_of(ways_, [&](const Way &way) { return !way.in || repeats(way); });
}

// Ways that are close to the best one run as often again, unless it is alone; and all of them while times scatter.
bool WayTimes::wants_more(const Way &way) const {
  const auto close = [limit = (1 + rule_.close) * best()](const Way &each) { return each.in && each.least <= limit; };
  const int counted = way.runs - rule_.uncounted, most = rounds();
  if (!way.in || counted < most || rule_.repeats <= 0) return way.in && counted < most;
  if (rule_.close > 0 && counted < 2 * most && close(way) && std::ranges::count_if(ways_, close) > 1) return true;
  return counted < rule_.max_rounds && !sure();
}

bool WayTimes::slower_by(std::size_t way, std::size_t other, double part, std::size_t round) const {
  return ways_[way].seconds[round] > (1 + part) * ways_[other].seconds[round];
}

// In every round, and hardly by chance.
void WayTimes::drop_slow() {
  const std::size_t best_so_far = leader();
  const std::size_t enough = static_cast<std::size_t>(rule_.confirm_rounds) + (best() < short_run ? 1 : 0);
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::size_t rounds = std::min(ways_[w].seconds.size(), ways_[best_so_far].seconds.size());
    const bool known = rule_.repeats <= 0 || repeats(ways_[w]);
    bool slow = ways_[w].in && w != best_so_far && rounds >= enough;
    if (rounds == 1 && best() >= short_run && w != best_so_far && slower_by(w, best_so_far, rule_.far_off, 0))
      ways_[w].in = false;
    for (std::size_t r = 0; slow && r < rounds; ++r)
      slow = slower_by(w, best_so_far, known ? rule_.drop_ratio : certain_ratio * rule_.drop_ratio, r);
    if (slow) ways_[w].in = false;
  }
}

void WayTimes::note(double seconds, const Largest &largest) {
  if (done_) return run_after_choice();
  Way &way = ways_[next_];
  way.last = seconds;
  if (++way.runs > rule_.uncounted && !largest) {
    way.seconds.push_back(seconds);
    way.least = std::min(way.least, seconds);
    spent_ += seconds;
    ++counted_;
    drop_slow();
  }
  const bool too_long = best() >= short_run && all_tried() && spent_ - counted_ * best() >= rule_.most_extra * best();
  if (too_long || alone())
    decide();
  else
    go_on(largest);
}

// Round after round, so that a machine that is slower for a while is so for all ways.
void WayTimes::go_on(const Largest &largest) {
  for (std::size_t step = 1; step <= ways_.size(); ++step) {
    next_ = (next_ + 1) % ways_.size();
    if (next_ == 0 && largest) end_round(largest);
    if (alone()) break;
    if (wants_more(ways_[next_])) return;
  }
  decide();
}

// The slowest process counts.
void WayTimes::end_round(const Largest &largest) {
  std::vector<double> seconds;
  for (const Way &way : ways_) seconds.push_back(way.last);
  largest(seconds);
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    Way &way = ways_[w];
    way.last = 0;
    if (seconds[w] <= 0 || way.runs <= rule_.uncounted) continue;
    way.seconds.push_back(seconds[w]);
    way.least = std::min(way.least, seconds[w]);
  }
  drop_slow();
}

// A way that has been chosen stays unless another one saves as much.
std::size_t WayTimes::shortest() const {
  std::size_t out = usual();
  for (std::size_t w = 0; w < ways_.size(); ++w)
    if (ways_[w].least < ways_[out].least * (out == usual() ? 1 - rule_.must_save : 1)) out = w;
  return out;
}

// What was faster in three of four rounds than the way with the shortest run: the machine was not the same all the
// time.
std::size_t WayTimes::by_rounds(std::size_t shortest) const {
  std::size_t out = shortest, most = 0;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::size_t rounds = std::min(ways_[w].seconds.size(), ways_[shortest].seconds.size());
    std::size_t faster = 0;
    for (std::size_t r = 0; r < rounds; ++r) {
      const double save = shortest == usual() ? rule_.must_save : w == usual() ? -rule_.must_save : 0;
      if (ways_[w].seconds[r] < (1 - save) * ways_[shortest].seconds[r]) ++faster;
    }
    if (ways_[w].in && w != shortest && 4 * faster >= 3 * rounds && faster > most) out = w, most = faster;
  }
  return out;
}

std::size_t WayTimes::fastest() const {
  if (done_) return best_;
  const std::size_t out = shortest();
  if (rule_.repeats <= 0 || sure()) return out;
  if (decided_) return best_; // it stays
  return repeats(ways_[out]) ? out : by_rounds(out);
}

void WayTimes::decide() {
  const std::size_t chosen = fastest();
  best_ = next_ = chosen;
  if (!decided_) keep_rivals();
  done_ = decided_ = true;
}

// The first way, and the best of the others: they may have been disturbed all the time.
void WayTimes::keep_rivals() {
  std::size_t second = first_;
  for (std::size_t w = 0; w < ways_.size(); ++w)
    if (w != first_ && w != best_ && (second == first_ || ways_[w].least < ways_[second].least)) second = w;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const bool stays = w == best_ || (rule_.again && measured(w) && (w == first_ || w == second));
    ways_[w].out = ways_[w].out || !stays;
  }
}

// In runs of the best way, as far as the times that are known tell.
double WayTimes::cost_of_look() const {
  double out = 0;
  for (const Way &way : ways_) {
    const double more = std::max(way.least / ways_[best_].least - 1, 0.0);
    const int runs = more > rule_.drop_ratio ? rule_.confirm_rounds + 1 : more > rule_.close ? rounds() : 2 * rounds();
    if (!way.out) out += more * runs;
  }
  return out;
}

void WayTimes::run_after_choice() {
  ++runs_;
  if (!rule_.again || runs_ < std::max(first_look, 2 * last_look_)) return;
  if (cost_of_look() > part_for_looks * (runs_ - last_look_)) return;
  last_look_ = runs_;
  for (Way &way : ways_) way = {.least = infinite, .runs = rule_.uncounted, .in = !way.out, .out = way.out};
  spent_ = counted_ = 0;
  done_ = false;
}

std::string WayTimes::text(const std::vector<std::string> &names) const {
  std::string out;
  for (std::size_t w = 0; w < ways_.size(); ++w)
    if (measured(w)) out += core::text(out.empty() ? "" : ", ", names[w], " ", fixed(1e3 * ways_[w].least, 3), " ms");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
