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
  if (!why_.empty() || tile_bytes > 0) return;
  if (threads_ > 1) ways_.push_back({one_tile}); // threads need not wait for each other after each loop
  if (bytes_ < caches.own) return;
  // Long chains have too many rows between their first and last loops for small tiles, but fetch each only once
  // meanwhile.
  const std::array<double, 3> sizes = tile_sizes(caches, threads_);
  for (const double size : sizes) ways_.push_back({size});
  double elements = 0;
  for (const ChainLoop &loop : described_) elements += loop.size;
  price_ = to_find * elements * static_cast<double>(sizes.size());
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
  std::vector<double> bytes;
  for (const ChainPhase &phase : found)
    bytes.push_back(touched_bytes(std::span(loops_).subspan(phase.first, phase.last - phase.first)));
  phase_bytes_ = std::move(bytes); // both or none: memory may end meanwhile
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
      const auto [at, is_new] = numbers.insert({&rows, static_cast<int>(numbers.size())});
      if (is_new) rows_.push_back(rows.size);
      for (int c = 0; c < (arg.map ? std::max(arg.count, 1) : 1); ++c) {
        Reach reach{at->second, nullptr, 0, arg.access != OP_READ, arg.access == OP_READ || arg.access == OP_RW};
        if (arg.map) reach.column = column_of(arg.map->table.data(), arg.column + c), reach.step = arg.map->dim;
        const auto same = std::ranges::find_if(
            loop.reaches, [&](const Reach &other) { return other.set == reach.set && other.column == reach.column; });
        if (same == loop.reaches.end())
          loop.reaches.push_back(reach);
        else
          same->adds = same->adds || reach.adds, same->reads = same->reads || reach.reads;
      }
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

ChainSchedule Chain::schedule(double tile_bytes) {
  const ChainToSchedule chain{loops_, described_, rows_, tables_};
  const auto wanted = [&](double bytes) {
    return static_cast<int>(std::min(bytes / tile_bytes + 1, most_tiles_at_all));
  };
  if (threads_ == 0) return schedule_chain(chain, wanted(bytes_));
  const std::span<const ChainPhase> cut = phases();
  std::vector<int> tiles;
  for (const double bytes : phase_bytes_) tiles.push_back(wanted(bytes));
  return schedule_chain(chain, cut, tiles);
}

void Chain::find_tiles(Way &way) {
  if (way.schedule) return;
  if (threads_ > 0) phases();
  const double start = now();
  way.schedule = std::make_unique<ChainSchedule>(schedule(way.tile_bytes));
  if (ways_.size() == 1) phases_.reset(), phase_bytes_.clear(), tables_ = {};
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
  phases_.reset(), phase_bytes_.clear();
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
