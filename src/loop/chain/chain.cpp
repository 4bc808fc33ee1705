#include "loop/chain/chain.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "loop/chain/traffic.hpp"
#include "loop/threads/tasks.hpp"

namespace op2::core {

namespace {

constexpr double small = 0.02;    // part of what a chain moves, of a loop whose form does not matter
constexpr double one_tile = 1e18; // bytes
constexpr double most_tiles_at_all = 60000;
constexpr int fewest_tiles = 3;     // fewer save nothing on one thread
constexpr double most_uneven = 1.5; // the longest thread relative to an equal share: it is not even tried
constexpr const char *far = "its loops reach too far for threads to work apart";
constexpr double most_memory = 0.02; // of schedules, relative to the data
constexpr int most_pieces = 1 << 20; // of a schedule: beyond, loops are cut to shreds
constexpr int parts_of_thread = 4;   // where threads take lists of each other
// Tasks, in seconds: long beside the time to take one, short beside the loops.
constexpr double usual_task = 1e-4, shortest_task = 5e-5, longest_task = 2e-4;
constexpr double usual_again = 0.05, most_again = 0.1; // work that several parts do, relative to the loops
constexpr double most_unequal = 1.5; // the most costly part relative to the mean
constexpr double usual_speed = 5e9;  // bytes a second, of loops that nobody has measured
// Seconds for each element of a loop that it takes to find tiles of one size, at least.
constexpr double to_find = 2e-9;

std::span<const int> cuts_of(const Loop &loop) {
  const op_exec_plan &plan = loop.prepared().part(0).plan;
  if (plan.kind != OP_PLAN_BLOCKS && plan.kind != OP_PLAN_OWNER_BLOCKS) return {};
  return {plan.block_offset, static_cast<std::size_t>(plan.nblocks) + 1};
}

} // namespace

Chain::Chain(std::span<const ChainCall> calls, double tile_bytes, const Caches &caches)
    : times_(1, WayTimes::of_chains()) {
  const Executor &executor = calls.front().loop->prepared().executor();
  if (executor.runs_chains()) threads_ = executor.caps().concurrency;
  tasks_ = threads_ > 1 && executor.caps().tasks != 0;
  for (const ChainCall &call : calls) loops_.push_back(call.loop);
  for (const Loop *loop : loops_)
    if (why_.empty()) why_ = loop->why_not_in_pieces();
  if (ExecutorGroups::possible(loops_)) groups_ = std::make_unique<ExecutorGroups>(loops_);
  if (why_.empty()) describe(calls);
  if (why_.empty() && bytes_ < caches.own && tile_bytes <= 0 && threads_ <= 1)
    why_ = "all of its data fits into a core's own cache";
  add_ways(why_.empty() ? tile_bytes : 0, caches);
  times_ = WayTimes(ways_.size(), WayTimes::of_chains());
}

void Chain::add_ways(double tile_bytes, const Caches &caches) {
  ways_.push_back({tile_bytes});
  ways_.back().graph = tasks_ && tile_bytes > 0;
  if (!why_.empty() || tile_bytes > 0) return;
  if (tasks_) ways_.push_back({bytes_ / parts_by_time(seconds_of_loops() * threads_), true});
  if (threads_ > 1 && !tasks_) ways_.push_back({one_tile}); // threads need not wait for each other after each loop
  if (bytes_ < caches.own) return;
  // Long chains have too many rows between their first and last loops for small tiles, but fetch each only once
  // meanwhile.
  const std::array<double, 3> sizes = tile_sizes(caches, threads_);
  for (const double size : sizes) ways_.push_back({size});
  if (tasks_) ways_.push_back({sizes[1], false, true});
  double elements = 0;
  for (const ChainLoop &loop : described_) elements += loop.size;
  price_ = to_find * elements * static_cast<double>(sizes.size());
}

// By the times of loop after loop.
double Chain::seconds_of_loops() const {
  double seconds = 0;
  for (const Loop *loop : loops_)
    if (const LoopStats &stats = loop->stats(); stats.calls > 0)
      seconds += stats.seconds / static_cast<double>(stats.calls);
  return seconds > 0 ? seconds : bytes_ / usual_speed;
}

// So that a task takes some 100 microseconds. task_seconds: of all tasks of the chain together.
double Chain::parts_by_time(double task_seconds) const {
  return std::clamp(task_seconds / (usual_task * static_cast<double>(loops_.size())), 2.0 * threads_,
                    static_cast<double>(most_task_parts));
}

// Once a run has shown what each part costs: parts whose elements cost more become smaller, so that all tasks are of a
// length that threads can take of each other; and there are fewer parts if borders between them cost much.
void Chain::adapt(Way &way) {
  const std::span<const double> cost = way.schedule->cost();
  if (cost.empty() || std::exchange(way.measured, true)) return;
  double all = 0, most = 0;
  for (const double seconds : cost) all += seconds, most = std::max(most, seconds);
  const int before = way.tiles();
  const double count = static_cast<double>(loops_.size());
  const double again = all / (seconds_of_loops() * threads_) - 1; // at borders between parts
  const int parts = again > most_again ? std::max(2 * threads_, static_cast<int>(before * usual_again / again))
                                       : static_cast<int>(parts_by_time(all));
  const double task = all / before / count;
  const bool unequal = most > most_unequal * all / before && most > longest_task * count;
  const bool right = again <= most_again && task > shortest_task && task < longest_task;
  if (!unequal && (right || parts == before)) return;
  const std::vector<double> even = equal_borders(before);
  way.borders = borders_of_equal_cost(way.borders.empty() ? even : way.borders, cost, parts);
  const double start = now();
  way.schedule = std::make_unique<ChainSchedule>(schedule(way));
  preparation_ += now() - start;
}

bool Chain::is(std::span<const ChainCall> calls) const {
  return std::ranges::equal(loops_, calls, {}, {}, &ChainCall::loop);
}

bool Chain::find_phases(double seconds) {
  if (phases_) return true;
  const double start = now();
  const auto stop = [&] { return now() - start > seconds; };
  std::vector<ChainPhase> found = phase_chain(described_, rows_, threads_, most_uneven_phase, {}, stop);
  preparation_ += now() - start;
  if (found.empty()) return false;
  phases_ = std::move(found);
  return true;
}

std::span<const ChainPhase> Chain::phases() {
  find_phases(std::numeric_limits<double>::infinity());
  return *phases_;
}

void Chain::describe(std::span<const ChainCall> calls) {
  std::set<const Dat *> changed;
  std::map<const Set *, int> numbers;
  std::map<const Dat *, int> data_numbers;
  bytes_ = touched_bytes(loops_);
  for (const ChainCall &call : calls)
    for (const LoopArg &arg : call.loop->signature().args)
      if (arg.dat && arg.access != OP_READ) changed.insert(arg.dat);
  for (const ChainCall &call : calls) {
    const LoopSignature &what = call.loop->signature();
    ChainLoop loop;
    loop.size = what.set.size;
    loop.bytes = call.loop->bytes_per_call();
    loop.cuts = cuts_of(*call.loop);
    if (is_owner_kind(call.loop->prepared().part(0).plan.kind)) loop.runs_of_element = ElementRuns::by_rows;
    for (const LoopArg &arg : what.args) {
      if (!arg.dat || !changed.contains(arg.dat)) continue;
      const Set &rows = arg.map ? arg.map->target() : what.set;
      const int data = tasks_ ? data_numbers.insert({arg.dat, static_cast<int>(data_numbers.size())}).first->second : 0;
      const auto [at, is_new] = numbers.insert({&rows, static_cast<int>(numbers.size())});
      if (is_new) rows_.push_back(rows.size);
      for (int c = 0; c < (arg.map ? std::max(arg.count, 1) : 1); ++c) {
        Reach reach{at->second, nullptr, 0, arg.access != OP_READ, arg.access == OP_READ || arg.access == OP_RW};
        reach.data = data;
        if (arg.map) reach.column = column_of(arg.map->table.data(), arg.column + c), reach.step = arg.map->dim;
        const auto same = std::ranges::find_if(loop.reaches, [&](const Reach &other) {
          return other.set == reach.set && other.column == reach.column && other.data == reach.data;
        });
        if (same == loop.reaches.end())
          loop.reaches.push_back(reach);
        else
          same->adds = same->adds || reach.adds, same->reads = same->reads || reach.reads;
      }
    }
    if (loop.reaches.empty()) { // it changes nothing: its elements have places by themselves
      const auto [at, is_new] = numbers.insert({&what.set, static_cast<int>(numbers.size())});
      if (is_new) rows_.push_back(what.set.size);
      loop.reaches.push_back({at->second});
    }
    described_.push_back(std::move(loop));
  }
}

// Whether forms of a loop are being compared by time. Small loops do not matter.
bool Chain::compares_forms() const {
  double all = 0;
  for (const ChainLoop &loop : described_) all += loop.bytes;
  for (std::size_t l = 0; l < loops_.size(); ++l)
    if (loops_[l]->prepared().compares() && described_[l].bytes > small * all) return true;
  return false;
}

// Whether the chain has taken as long as finding tiles takes. On threads that depends on how far its loops reach, which
// shows when their phases are looked for: in a part of the time that the chain has taken, or later on.
bool Chain::worth_tiles() {
  constexpr double part = 0.1;
  if (took_ < price_) return false;
  if (threads_ <= 1 || ways_.size() == 1 || settled_) return true;
  const double before = preparation_;
  if (find_phases(part * took_)) return true;
  price_ = std::max(2 * took_, (preparation_ - before) / part);
  return false;
}

// Whether the time of the next run is that of its way alone. Other forms of the loops begin a new comparison.
bool Chain::counts() {
  const bool before = std::exchange(counts_, worth_tiles() && (!times_.compares() || !compares_forms()));
  if (counts_ && !before && !times_.decided()) times_ = WayTimes(ways_.size(), WayTimes::of_chains());
  return counts_;
}

bool Chain::uneven(const Way &way) { return way.schedule && way.schedule->longest > most_uneven; }

ChainSchedule Chain::schedule(const Way &way) {
  const double tile_bytes = way.tile_bytes;
  const ChainToSchedule chain{loops_, described_, rows_, tables_};
  const auto wanted = [&](double bytes) {
    return static_cast<int>(std::min(bytes / tile_bytes + 1, most_tiles_at_all));
  };
  if (way.graph && !way.borders.empty()) return schedule_tasks(chain, way.borders, threads_);
  if (way.graph) return schedule_tasks(chain, equal_borders(std::clamp(wanted(bytes_), 2, most_task_parts)), threads_);
  if (threads_ == 0) return schedule_chain(chain, wanted(bytes_));
  std::vector<ChainPhase> smaller;
  if (way.stealing) smaller = phase_chain(described_, rows_, parts_of_thread * threads_, most_uneven_phase);
  const std::span<const ChainPhase> cut = way.stealing ? smaller : phases();
  std::vector<int> tiles;
  for (const ChainPhase &phase : cut)
    tiles.push_back(wanted(touched_bytes(std::span(loops_).subspan(phase.first, phase.last - phase.first))));
  return schedule_chain(chain, cut, tiles, threads_);
}

void Chain::find_tiles(Way &way) {
  if (way.schedule) return;
  if (threads_ > 0 && !way.graph && !way.stealing) phases();
  const double start = now();
  way.schedule = std::make_unique<ChainSchedule>(schedule(way));
  if (ways_.size() == 1) phases_.reset(), tables_ = {};
  preparation_ += now() - start;
}

const char *Chain::why_not(const Way &way) const {
  if (uneven(way)) return far;
  if (way.pieces() > most_pieces) return "its loops would be cut into too many pieces";
  return threads_ <= 1 && way.tiles() < fewest_tiles ? "its tiles would be too few" : nullptr;
}

const ChainSchedule *Chain::next_tiles() {
  timed_ = counts();
  now_ = timed_ ? times_.next() : chosen_;
  while (ways_[now_].in_tiles()) {
    Way &way = ways_[now_];
    find_tiles(way);
    const char *const why = times_.decided() ? nullptr : why_not(way);
    if (!why) return way.schedule.get();
    refused_ = why;
    times_.leave_out(now_);
    now_ = times_.next();
  }
  return nullptr;
}

void Chain::record_time(double seconds) {
  took_ += seconds;
  if (Way &way = ways_[now_]; way.graph && way.schedule) adapt(way);
  if (!std::exchange(timed_, false) || ways_.size() == 1) return;
  times_.note(seconds);
  if (!times_.compares() && (!settled_ || times_.next() != chosen_)) choose();
}

// For the first time, or after another look.
void Chain::choose() {
  chosen_ = times_.next();
  settled_ = true;
  reported_ = false;
  figures_.clear();
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    Way &way = ways_[w];
    if (times_.measured(w)) figures_.push_back({way.tiles(), times_.least(w)});
    if (!times_.kept(w)) way.schedule.reset();
  }
  // To try a second one in tiles again is not worth so much memory.
  for (std::size_t w = 1; w < ways_.size() && takes_much_memory(); ++w)
    if (w != chosen_) times_.forget(w), ways_[w].schedule.reset();
  phases_.reset();
  tables_ = {};
  if (chosen_ == 0 && figures_.size() < 2) why_ = refused_;
}

bool Chain::is_reported() {
  const Way &way = ways_[chosen_];
  return std::exchange(reported_, decided() && (!way.in_tiles() || way.schedule));
}

bool Chain::takes_much_memory() const { return schedule_bytes() > most_memory * bytes_; }

double Chain::schedule_bytes() const {
  double out = 0;
  for (const Way &way : ways_)
    if (way.schedule) out += way.schedule->bytes;
  return out;
}

void Chain::report(TiledChainStats &out) const {
  const Way &way = ways_[decided() ? chosen_ : now_];
  out.bytes = bytes_;
  out.threads = std::max(threads_, 1);
  out.found_seconds = preparation_;
  out.tiles = way.tiles();
  out.pieces = static_cast<std::int64_t>(way.pieces());
  out.schedule_bytes = schedule_bytes();
  out.ways = figures_;
  out.why = groups_ ? groups_->text() : why_;
}

std::string Chain::text() const {
  const Way &way = ways_[chosen_];
  if (groups_) return core::text(loops_.size(), " loops", groups_->together() ? " " : ", ", groups_->text());
  std::string out = core::text(loops_.size(), " loops, ", fixed(bytes_ / 1e6, 1), " MB, ");
  if (way.in_tiles())
    out += core::text(way.schedule->text(), ", ", way.schedule->threads_text(), fixed(schedule_bytes() / 1e6, 3),
                      " MB of tables, found in ", fixed(1e3 * preparation_, 3), " ms");
  else
    out += core::text("one after the other", why_.empty() ? "" : ": ", why_);
  return out + (figures_.empty() ? "" : "; " + ways_text(figures_));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
