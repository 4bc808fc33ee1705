#include "loop/chain/chain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

// Rows of a tile to be tried, beside loop after loop: parts of the last-level cache, and of a core's own one. Long
// chains have too many rows between their first and last loops for that one, but fetch each only once meanwhile.
constexpr double parts_of_cache[] = {0.5, 0.125}, part_of_own = 0.5;
constexpr double part_ahead = 0.0625; // the same if the next tile is on its way meanwhile
constexpr int timed_runs = 3;         // of each way, the fastest counts
constexpr double worth = 0.98;        // tiles must save this much
constexpr double small = 0.02;        // part of what a chain moves, of a loop whose form does not matter
constexpr double impossible = 1e30;   // seconds
constexpr double one_tile = 1e18;     // bytes
constexpr int fewest_tiles = 3;       // fewer save nothing on one thread
constexpr double most_uneven = 1.5;   // the longest thread relative to an equal share: it is not even tried
constexpr const char *ahead_text = " asked for ahead";
constexpr int most_pieces = 1 << 20; // of a schedule: beyond, loops are cut to shreds

std::span<const int> cuts_of(const Loop &loop) {
  const op_exec_plan &plan = loop.how().part(0).plan;
  if (plan.kind != OP_PLAN_BLOCKS && plan.kind != OP_PLAN_OWNER_BLOCKS) return {};
  return {plan.block_offset, static_cast<std::size_t>(plan.nblocks) + 1};
}

} // namespace

Chain::Chain(std::span<const ChainCall> calls, double tile_bytes, const ChainCaches &caches) {
  const Executor &executor = calls.front().loop->how().executor();
  if (executor.runs_chains()) threads_ = executor.caps().concurrency;
  for (const ChainCall &call : calls) {
    loops_.push_back(call.loop);
    if (why_.empty()) why_ = call.loop->why_not_in_pieces();
  }
  if (WholeChain::possible(loops_)) whole_ = std::make_unique<WholeChain>(loops_);
  if (why_.empty()) describe(calls);
  if (why_.empty() && bytes_ < caches.last && tile_bytes <= 0 && threads_ <= 1)
    why_ = "all of its data fits into the caches";
  ways_.push_back({why_.empty() ? tile_bytes : 0});
  decided_ = !why_.empty() || tile_bytes > 0;
  if (decided_) return;
  if (threads_ > 1) ways_.push_back({one_tile}); // threads need not wait for each other after each loop
  if (bytes_ < caches.last) return;
  for (const double part : parts_of_cache) ways_.push_back({part * caches.last / std::max(threads_, 1)});
  if (const double own = part_of_own * caches.own; own < ways_.back().tile_bytes) ways_.push_back({own});
  const auto generated = [](const Loop *loop) { return loop->how().fast_form().range() != nullptr; };
  if (threads_ == 0 && std::ranges::any_of(loops_, generated)) ways_.push_back({part_ahead * caches.last, true});
}

bool Chain::is(std::span<const ChainCall> calls) const {
  return std::ranges::equal(loops_, calls, {}, {}, &ChainCall::loop);
}

void Chain::describe(std::span<const ChainCall> calls) {
  std::set<const Dat *> changed, all;
  std::set<std::pair<const Map *, int>> columns;
  std::map<const Set *, int> numbers;
  for (const ChainCall &call : calls)
    for (const LoopArg &arg : call.loop->what().args) {
      if (arg.dat && arg.access != OP_READ) changed.insert(arg.dat);
      if (arg.dat && all.insert(arg.dat).second) bytes_ += static_cast<double>(arg.dat->host.bytes());
      for (int c = 0; arg.map && c < std::max(arg.count, 1); ++c)
        if (columns.insert({arg.map, arg.column + c}).second) bytes_ += 4.0 * call.loop->what().set.size;
    }
  for (const ChainCall &call : calls) {
    const LoopSignature &what = call.loop->what();
    ChainLoop loop;
    loop.size = what.set.size;
    loop.bytes = call.loop->bytes_per_call();
    loop.cuts = cuts_of(*call.loop);
    if (is_owner_kind(call.loop->how().part(0).plan.kind)) loop.whole = Whole::by_rows;
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
    if (loops_[l]->how().compares() && described_[l].bytes > small * all) return true;
  return false;
}

// Whether the time of the next run is that of its way alone. Other forms of the loops begin a new comparison.
bool Chain::counts() {
  const bool before = std::exchange(counts_, !compares_forms());
  if (counts_ && !before) {
    for (Way &way : ways_) way.runs = 0;
    now_ = 0;
  }
  return counts_;
}

bool Chain::uneven(const Way &way) { return way.threads && way.threads->schedule().longest > most_uneven; }

const ChainTiles *Chain::next_tiles() {
  if (!decided_ && !counts()) return nullptr;
  Way &way = ways_[now_];
  if (way.tile_bytes <= 0) return nullptr;
  if (way.tiles.first.empty()) {
    const double start = now();
    const int wanted = static_cast<int>(std::min(bytes_ / way.tile_bytes + 1, 60000.0));
    std::optional<ChainTiles> found = tile_by_borders(described_, rows_, wanted, tables_);
    way.tiles = found ? std::move(*found) : tile_chain(described_, rows_, wanted);
    if (threads_ > 0) way.threads = std::make_unique<ThreadedChain>(loops_, described_, rows_, way.tiles, threads_);
    preparation_ += now() - start;
  }
  if (!decided_ && uneven(way)) return nullptr;
  return &way.tiles;
}

// The ways take turns, so that what changes meanwhile (forms of code, other programs) meets all of them.
void Chain::took(double seconds) {
  if (decided_ || !counts_) return;
  Way &way = ways_[now_];
  if (way.runs++ > 0) way.least = way.runs == 2 ? seconds : std::min(way.least, seconds);
  if (way.tile_bytes > 0 &&
      ((threads_ <= 1 && way.tiles.tiles() < fewest_tiles) || way.tiles.steps.size() > most_pieces || uneven(way)))
    way.least = impossible;
  now_ = (now_ + 1) % ways_.size();
  if (now_ != 0 || ways_.front().runs <= timed_runs) return;
  for (const Way &each : ways_)
    if (each.least < impossible)
      figures_.push_back({each.tile_bytes > 0 ? each.tiles.tiles() : 0, each.least, each.ahead});
  std::size_t best = 0;
  for (std::size_t w = 1; w < ways_.size(); ++w)
    if (ways_[w].least < (best == 0 ? worth : 1.0) * ways_[best].least) best = w;
  if (best == 0 && std::ranges::any_of(ways_, uneven)) why_ = "its loops reach too far for threads to work apart";
  std::swap(ways_.front(), ways_[best]);
  ways_.resize(1);
  now_ = 0;
  decided_ = true;
}

bool Chain::told() {
  return std::exchange(told_, decided_ && (ways_.front().tile_bytes <= 0 || !ways_.front().tiles.first.empty()));
}

double Chain::schedule_bytes() const {
  const Way &way = ways_[now_];
  const double steps = static_cast<double>(way.tiles.steps.size() * sizeof(ChainStep));
  return way.threads ? steps + bytes_of(way.threads->schedule()) : steps;
}

void Chain::tell(TiledChainStats &out) const {
  const Way &way = ways_[now_];
  out.bytes = bytes_;
  out.threads = std::max(threads_, 1);
  out.found_seconds = preparation_;
  out.tiles = way.tiles.first.empty() ? 0 : way.tiles.tiles();
  out.pieces = static_cast<std::int64_t>(way.tiles.steps.size());
  out.schedule_bytes = schedule_bytes();
  out.ways = figures_;
  out.why = whole_ ? whole_->text() : why_;
}

std::string Chain::text() const {
  const Way &way = ways_.front();
  if (whole_) return core::text(loops_.size(), " loops", whole_->together() ? " " : ", ", whole_->text());
  std::string out = core::text(loops_.size(), " loops, ", fixed(bytes_ / 1e6, 1), " MB, ");
  if (way.tile_bytes > 0)
    out += core::text(way.tiles.tiles(), " tiles, ", way.tiles.steps.size(), " pieces", way.ahead ? ahead_text : "",
                      ", ", way.threads ? way.threads->text() : "", fixed(schedule_bytes() / 1e6, 3), " MB of tables, ",
                      "found in ", fixed(1e3 * preparation_, 3), " ms");
  else
    out += core::text("one after the other", why_.empty() ? "" : ": ", why_);
  return out + (figures_.empty() ? "" : "; " + ways_text(figures_));
}

} // namespace op2::core
