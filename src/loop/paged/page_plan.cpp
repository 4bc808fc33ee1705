#include "loop/paged/page_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr int most_runs = 16; // in thought, until they repeat

// Chunks of all arrays by one number.
class Numbers {
 public:
  explicit Numbers(std::span<const PagedArrayUse> arrays) {
    for (const PagedArrayUse &array : arrays) first_.push_back(first_.back() + array.chunks);
  }
  std::size_t all() const { return static_cast<std::size_t>(first_.back()); }
  std::size_t of(int array, std::int64_t chunk) const {
    return static_cast<std::size_t>(first_[static_cast<std::size_t>(array)] + chunk);
  }
  int array_of(std::size_t number) const {
    return static_cast<int>(std::ranges::upper_bound(first_, static_cast<std::int64_t>(number)) - first_.begin()) - 1;
  }
  // Neighbours become one entry.
  std::vector<Chunks> merged(std::vector<std::size_t> &numbers) const {
    std::ranges::sort(numbers);
    std::vector<Chunks> out;
    for (const std::size_t number : numbers) {
      const int array = array_of(number);
      const std::int64_t chunk = static_cast<std::int64_t>(number) - first_[static_cast<std::size_t>(array)];
      if (!out.empty() && out.back().array == array && out.back().last == chunk)
        ++out.back().last;
      else
        out.push_back({array, chunk, chunk + 1});
    }
    numbers.clear();
    return out;
  }
  template <class Take>
  void each(const Chunks &chunks, const Take &take) const {
    for (std::int64_t c = chunks.first; c < chunks.last; ++c) take(of(chunks.array, c));
  }

 private:
  std::vector<std::int64_t> first_ = {0};
};

// Runs the chain in thought.
class Planner {
 public:
  Planner(std::span<const PagedArrayUse> arrays, std::span<const UnitUses> units, std::int64_t limit, PageTimes times)
      : arrays_(arrays),
        units_(units),
        limit_(limit),
        ahead_(std::max(times.ahead, 0)),
        numbers_(arrays),
        uses_(numbers_.all()),
        next_(numbers_.all(), 0),
        state_(numbers_.all()),
        leaving_(static_cast<std::size_t>(std::max(times.behind, 0)) + 1, 0) {
    for (std::size_t u = 0; u < units.size(); ++u)
      for (const ChunkUse &use : units[u])
        numbers_.each(use.chunks, [&](std::size_t c) { uses_[c].push_back(static_cast<int>(u)); });
    for (std::size_t c = 0; c < uses_.size(); ++c) state_[c].at_end = !uses_[c].empty() && uses_[c].front() < ahead_;
  }

  bool possible() const {
    return std::ranges::all_of(units_, [&](const UnitUses &unit) {
      std::int64_t chunks = 0;
      for (const ChunkUse &use : unit) chunks += use.chunks.last - use.chunks.first;
      return chunks <= limit_;
    });
  }

  // The first run begins with nothing in memory, the others with what was there when the ones before ended. True: this
  // run has ended as it began.
  bool run(PagePlan &out) {
    const bool first = out.units.empty();
    out = {};
    used_ = std::accumulate(leaving_.begin(), leaving_.end(), std::int64_t{0});
    for (std::size_t c = 0; c < state_.size(); ++c) {
      State &chunk = state_[c];
      chunk.in_memory = !first && chunk.at_end;
      used_ += chunk.in_memory;
      chunk.touched = false;
      chunk.wanted = -1;
      next_[c] = 0;
    }
    out.start = in_memory();
    for (int u = 0; u < static_cast<int>(units_.size()); ++u) {
      std::rotate(leaving_.begin(), leaving_.begin() + 1, leaving_.end());
      used_ -= std::exchange(leaving_.back(), 0); // by now they are written
      out.units.push_back(unit(u, out));
    }
    bool lost = first;
    for (State &chunk : state_) {
      lost = lost || (chunk.at_end && !chunk.in_memory);
      chunk.at_end = chunk.in_memory && (first || chunk.at_end);
    }
    return !lost;
  }

 private:
  struct State {
    bool in_memory = false, changed = false;
    bool touched = false; // by a unit of this run
    bool at_end = false;  // is to be in memory when the run ends
    int wanted = -1;      // last asked for while this unit ran
  };
  // In the order in which units need them, so that the first ones wait for nothing else.
  std::vector<Chunks> in_memory() const {
    std::vector<Chunks> out;
    std::vector<char> listed(state_.size(), 0);
    for (const UnitUses &unit : units_) {
      std::vector<std::size_t> there;
      for (const ChunkUse &use : unit)
        numbers_.each(use.chunks, [&](std::size_t c) {
          if (state_[c].in_memory && !std::exchange(listed[c], 1)) there.push_back(c);
        });
      const std::vector<Chunks> merged = numbers_.merged(there);
      out.insert(out.end(), merged.begin(), merged.end());
    }
    return out;
  }
  std::size_t count() const { return units_.size(); }
  // The unit that needs the chunk next, from unit u on; those of the next run count on.
  int next_use(std::size_t c, int u) {
    std::size_t &at = next_[c];
    while (at < uses_[c].size() && uses_[c][at] < u) ++at;
    if (at < uses_[c].size()) return uses_[c][at];
    return uses_[c].empty() ? std::numeric_limits<int>::max() : uses_[c].front() + static_cast<int>(count());
  }

  PageMoves unit(int u, PagePlan &out) {
    std::vector<std::size_t> drop, store, make, load, again, read, write;
    now_ = u;
    const std::vector<std::size_t> late = missing(u);
    make_room(static_cast<std::int64_t>(late.size()), u + 1, drop, store);
    for (const std::size_t c : late) bring(c, make, load);
    const int all = static_cast<int>(count()), next = u + ahead_;
    std::vector<std::size_t> wanted; // by the next units, and last by the one after them, for which room is made
    for (int v = u + 1; ahead_ > 0 && v <= std::min(next + 1, all); ++v)
      for (const std::size_t c : v < all ? missing(v) : missing_at_end())
        if (std::exchange(state_[c].wanted, u) != u) wanted.push_back(c);
    make_room(std::ssize(wanted), next + 2, drop, store);
    for (const std::size_t c : wanted)
      if (const int use = next_use(c, u + 1); used_ < limit_ && (use <= next || use >= all))
        bring(c, make, use < all ? load : again);
    for (const ChunkUse &use : units_[static_cast<std::size_t>(u)])
      numbers_.each(use.chunks, [&](std::size_t c) {
        (use.writes ? write : read).push_back(c);
        state_[c].changed = state_[c].changed || use.writes;
        state_[c].touched = true;
      });
    out.loaded += std::ssize(load) + std::ssize(again);
    out.stored += std::ranges::count_if(store, [&](std::size_t c) { return state_[c].changed || !state_[c].touched; });
    out.most = std::max(out.most, std::min(used_, limit_)); // what is late waits for what leaves
    return {numbers_.merged(drop),  numbers_.merged(store), numbers_.merged(make), numbers_.merged(load),
            numbers_.merged(again), numbers_.merged(read),  numbers_.merged(write)};
  }
  std::vector<std::size_t> missing(int u) const {
    std::vector<std::size_t> out;
    for (const ChunkUse &use : units_[static_cast<std::size_t>(u)])
      numbers_.each(use.chunks, [&](std::size_t c) {
        if (!state_[c].in_memory) out.push_back(c);
      });
    return out;
  }
  std::vector<std::size_t> missing_at_end() const {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < state_.size(); ++c)
      if (state_[c].at_end && !state_[c].in_memory && !array_of(c).written_first) out.push_back(c); // else it is made
    return out;
  }
  const PagedArrayUse &array_of(std::size_t c) const { return arrays_[static_cast<std::size_t>(numbers_.array_of(c))]; }
  void bring(std::size_t c, std::vector<std::size_t> &make, std::vector<std::size_t> &load) {
    (array_of(c).written_first && !state_[c].touched ? make : load).push_back(c);
    state_[c].in_memory = true;
    state_[c].changed = false;
    state_[c].touched = true;
    ++used_;
  }
  // As next_use(); chunks that are not to be there when the run ends are needed last.
  int next_use_of_victim(std::size_t c) {
    const int next = next_use(c, now_), all = static_cast<int>(count());
    return next < all || state_[c].at_end || uses_[c].empty() ? next : next + all;
  }
  // Lets chunks go that are needed in unit `from` at the earliest, the last ones first, until there is room for so many
  // more. What is written leaves memory some units later.
  void make_room(std::int64_t wanted, int from, std::vector<std::size_t> &drop, std::vector<std::size_t> &store) {
    const std::int64_t leaving = std::accumulate(leaving_.begin(), leaving_.end(), std::int64_t{0});
    const std::int64_t lacking = wanted - (limit_ - used_ + leaving);
    if (lacking <= 0) return;
    std::vector<std::pair<int, std::size_t>> victims;
    for (std::size_t c = 0; c < state_.size(); ++c)
      if (state_[c].in_memory)
        if (const int next = next_use_of_victim(c); next >= from) victims.push_back({next, c});
    const std::size_t most = std::min(victims.size(), static_cast<std::size_t>(lacking));
    std::ranges::nth_element(victims, victims.begin() + static_cast<std::ptrdiff_t>(most), std::greater<>());
    victims.resize(most);
    for (const auto &[next, c] : victims) {
      State &chunk = state_[c];
      const bool again = next < static_cast<int>(count()); // in this run
      const bool dead = again ? array_of(c).written_first && !chunk.touched : array_of(c).scratch;
      chunk.in_memory = false;
      (dead ? drop : store).push_back(c);
      if (dead || (chunk.touched && !chunk.changed)) // gives memory back at once, as nothing is written
        --used_;
      else
        ++leaving_.back();
    }
  }

  std::span<const PagedArrayUse> arrays_;
  std::span<const UnitUses> units_;
  const std::int64_t limit_;
  const int ahead_;
  const Numbers numbers_;
  std::vector<std::vector<int>> uses_; // units, of each chunk
  std::vector<std::size_t> next_;      // in uses_
  std::vector<State> state_;
  std::int64_t used_ = 0;             // chunks in memory
  std::vector<std::int64_t> leaving_; // those of them that are being written, by the units that stored them
  int now_ = 0;
};

} // namespace

PagePlan plan_pages(std::span<const PagedArrayUse> arrays, std::span<const UnitUses> units, std::int64_t limit,
                    PageTimes times) {
  PagePlan out;
  Planner planner(arrays, units, limit, times);
  if (!planner.possible()) return out;
  for (int run = 0; run < most_runs && !planner.run(out); ++run) {
  }
  return out;
}

std::string plan_fault(const PagePlan &plan, std::span<const PagedArrayUse> arrays, std::span<const UnitUses> units,
                       std::int64_t limit) {
  const Numbers numbers(arrays);
  std::vector<char> there(numbers.all(), 0), touched(numbers.all(), 0);
  std::int64_t used = 0, leaving = 0;
  std::string fault;
  const auto say = [&](std::size_t u, const Chunks &chunks, const char *what) {
    if (fault.empty())
      fault =
          text("unit ", u, " ", what, " chunks ", chunks.first, " to ", chunks.last - 1, " of array ", chunks.array);
  };
  const auto come = [&](std::size_t u, const std::vector<Chunks> &all, bool made) {
    for (const Chunks &chunks : all)
      numbers.each(chunks, [&](std::size_t c) {
        if (there[c]) say(u, chunks, "brings once more");
        if (made && (touched[c] || !arrays[static_cast<std::size_t>(chunks.array)].written_first))
          say(u, chunks, "loses the values of");
        there[c] = touched[c] = 1;
        ++used;
      });
  };
  const auto go = [&](std::size_t u, const std::vector<Chunks> &all, bool written) {
    for (const Chunks &chunks : all)
      numbers.each(chunks, [&](std::size_t c) {
        if (!there[c]) say(u, chunks, "gives back, though they are not there,");
        there[c] = 0;
        written ? ++leaving : --used;
      });
  };
  come(0, plan.start, false);
  std::ranges::fill(touched, 0);
  for (std::size_t u = 0; u < plan.units.size() && fault.empty(); ++u) {
    const PageMoves &unit = plan.units[u];
    used -= leaving;
    leaving = 0;
    go(u, unit.drop, false);
    go(u, unit.store, true);
    come(u, unit.make, true);
    come(u, unit.load, false);
    come(u, unit.again, false);
    // What must come before the unit runs may wait until memory has been given back.
    if (used > limit + leaving) fault = text("unit ", u, " has ", used - leaving, " chunks in memory");
    for (const ChunkUse &use : units[u])
      numbers.each(use.chunks, [&](std::size_t c) {
        if (!there[c]) say(u, use.chunks, "lacks some of");
        touched[c] = 1;
      });
  }
  return fault;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
