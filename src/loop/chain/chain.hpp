// A chain: loops that are run together, in tiles that stay in cache or one after the other, whichever is faster.
// Prepared at the first run of a sequence of loops; later runs of the same sequence reuse it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/cache_size.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/chain_schedule.hpp"
#include "loop/chain/executor_groups.hpp"
#include "loop/choice/way_times.hpp"
#include "loop/loop.hpp"
#include "loop/tiles/segments.hpp"

namespace op2::core {

class Chain {
 public:
  // tile_bytes: of the rows of a tile; 0 = as the caches are.
  Chain(std::span<const ChainCall> calls, double tile_bytes, const Caches &caches);

  bool is(std::span<const ChainCall> calls) const;
  bool goes_through(const Map &map) const {
    return std::ranges::any_of(loops_, [&](const Loop *loop) { return loop->signature().goes_through(map); });
  }
  // Why it cannot run in tiles; "" = it can.
  const std::string &why() const { return why_; }
  // On executors that take loops whole; else NULL.
  ExecutorGroups *groups() { return groups_.get(); }
  // The tiles of the next run, NULL = loop after loop; then the time that it took.
  const ChainSchedule *next_tiles();
  void record_time(double seconds);
  int threads() const { return std::max(threads_, 1); }
  double bytes() const { return bytes_; } // of all rows and maps that it touches
  std::span<const ChainLoop> described() const { return described_; }
  std::span<const int> rows() const { return rows_; }
  void report(TiledChainStats &out) const;                       // what it is
  TiledChainStats *record = nullptr;                             // of its runs
  std::string text() const;                                      // "9 loops, 160.0 MB, 24 tiles, 216 pieces"
  bool decided() const { return ways_.size() == 1 || settled_; } // though it may be looked at again
  bool is_reported(); // whether text() is final and was the same at the last call

 private:
  struct Way {
    double tile_bytes;     // 0: loop after loop
    bool graph = false;    // of tasks; tile_bytes: of the rows of a part
    bool stealing = false; // more lists than threads, which take them of each other
    std::unique_ptr<ChainSchedule> schedule = nullptr;
    std::vector<double> borders = {}; // of tasks: of parts that cost the same; empty: parts of the same size
    bool measured = false;            // likewise: what they cost
    bool in_tiles() const { return tile_bytes > 0; }
    int tiles() const { return schedule ? schedule->tiles : 0; }
    std::size_t pieces() const { return schedule ? schedule->pieces : 0; }
  };
  static bool uneven(const Way &way); // threads would wait for each other
  void describe(std::span<const ChainCall> calls);
  void add_ways(double tile_bytes, const Caches &caches);
  bool find_phases(double seconds); // false: it takes longer
  std::span<const ChainPhase> phases();
  ChainSchedule schedule(const Way &way);
  double seconds_of_loops() const;
  double parts_by_time(double task_seconds) const;
  void adapt(Way &way);
  bool compares_forms() const;
  bool worth_tiles();
  bool counts();
  void find_tiles(Way &way);
  const char *why_not(const Way &way) const; // it cannot run; NULL: it can
  void choose();
  double schedule_bytes() const;  // of all ways that may run
  bool takes_much_memory() const; // whether these take more than they are worth

  std::vector<Loop *> loops_;
  std::vector<ChainLoop> described_;
  std::vector<int> rows_;
  std::unique_ptr<ExecutorGroups> groups_;
  ReachTables tables_;
  std::string why_;
  double bytes_ = 0;
  int threads_ = 0;                               // on which the executor runs chains; 0: it does not
  bool tasks_ = false;                            // that take work of each other
  std::optional<std::vector<ChainPhase>> phases_; // of the threads, as soon as they are asked for
  std::vector<Way> ways_;
  WayTimes times_;
  std::vector<TiledChainStats::Way> figures_; // what was measured
  std::size_t now_ = 0, chosen_ = 0;          // the way of the present run; the one that was chosen
  double preparation_ = 0;                    // seconds, of the tiles of all ways
  double price_ = 0, took_ = 0;               // seconds: what finding tiles will take; all runs so far
  std::string refused_;                       // why a way was not tried
  bool counts_ = false, timed_ = false;       // runs are those of their ways alone; so is the present one
  bool settled_ = false, reported_ = false;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
