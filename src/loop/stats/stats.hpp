// What the timing tables show: one record per loop.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "loop/stats/stats_paging.hpp"
#include "loop/stats/stats_repartition.hpp"
#include "loop/stats/stats_tiles.hpp"
#include "loop/stats/work.hpp"

namespace op2::core {

// The exchanges of one dat for a loop that reads copies of its rows.
struct DatTraffic {
  std::string dat;
  std::int64_t exchanges = 0; // runs that found copies stale
  std::int64_t avoided = 0;   // runs that found them up to date
  std::int64_t partial = 0;   // exchanges of only those copies that a map reaches
  double bytes = 0;           // sent by this process
  double saved_bytes = 0;     // how much more this process would have sent by exchanging all copies
};

// With several processes: what dividing the mesh took, and what its halos take on this process.
struct DivisionStats {
  double partition_seconds = 0;                  // choosing the owners
  double move_seconds = 0;                       // bringing rows to their owners
  double halo_seconds = 0;                       // making halos
  double halo_bytes = 0, halo_bytes_at_most = 0; // see distributed/halo/halo_memory.hpp
};

struct LoopStats {
  std::string name;
  std::string set;
  std::string form;     // how the kernel was run: "range", "element", ...
  std::string measured; // times of the forms from which it was chosen: "vector x8 1.250 ms, scalar 2.500 ms"; or ""
  std::string why;      // why it is not in vectors; "" if it is, or if nobody asked for code
  std::int64_t calls = 0;
  double seconds = 0;      // inside the loop, without planning
  double plan_seconds = 0; // checking, planning and building, at the first call of each signature
  std::int64_t elements = 0;
  double bytes = 0; // useful bytes: each row that a loop must move counted once per call, see docs/timing.md
  int colours = 0;  // of the plan; 0 = none was needed
  std::int64_t blocks = 0;
  // With several processes: what this process sent, and how long it waited for messages after its core elements.
  // exchanges: runs that exchanged something; avoided: runs that found all copies that they read up to date.
  std::int64_t exchanges = 0, avoided = 0, messages = 0;
  double sent_bytes = 0, wait_seconds = 0;
  std::string path; // of the messages between devices, see HaloExchange::path(); several are joined by " | "
  void add_path(const std::string &path);
  std::deque<DatTraffic> traffic;
  DatTraffic &traffic_of(const std::string &dat); // references stay valid
  std::int64_t partial() const;                   // of all dats
  double saved_bytes() const;
};

// The drawing of lines (op_trace(), op_ftle()), on this process.
struct TracingStats {
  std::int64_t calls = 0, lines = 0, steps = 0; // lines that have ended here
  // Particles for other processes, those of them that have been here before, messages of all kinds.
  std::int64_t handed_over = 0, came_back = 0, messages = 0;
  double sent_bytes = 0;
  double dividing_seconds = 0; // cells, copies and neighbours
  double seconds = 0, working_seconds = 0, waiting_seconds = 0;
  std::int64_t particle_messages = 0; // those of `messages` and `sent_bytes` with particles
  double particle_bytes = 0;
};

// Chains of several processes that run in layers of copies, on this process.
struct ChainStats {
  std::string name; // of op_chain_begin()
  std::int64_t loops = 0, layers = 0;
  std::int64_t runs = 0; // in layers
  std::int64_t exchanges = 0, messages = 0;
  std::int64_t saved_messages = 0;          // how many more its loops would have sent one by one
  std::int64_t elements = 0, again = 0;     // executed; those of them that other processes own
  std::int64_t in_tiles = 0;                // groups of loops that ran in tiles, over all runs
  std::int64_t at_once = 0;                 // groups that the executor got as one, likewise
  std::int64_t reduced = 0, reductions = 0; // results of loops in globals, and how often processes combined them
  std::string form = {};                    // "on executor cuda: one graph of 13 launches"; "" = it got none
};

// How long threads have worked in the loops that they share, and how long these loops took.
struct ThreadTimes {
  std::vector<double> busy; // of each thread; empty: the executor does not say
  double shared = 0;
};

class StatsTable {
 public:
  // since_open: of the executor.
  void note_threads(ThreadTimes since_open) { since_open_ = std::move(since_open); }
  ThreadTimes threads() const; // since the last reset
  // The record for loops of this name on this set; made if there is none. References stay valid.
  LoopStats &of(const std::string &name, const std::string &set);
  const std::deque<LoopStats> &all() const { return records_; }
  std::deque<LoopStats> &all() { return records_; }
  TracingStats &tracing() { return tracing_; }
  const TracingStats &tracing() const { return tracing_; }
  WorkTimes &work() { return work_; }                               // not in the tables
  void note_paging(const PagingStats &paging) { paging_ = paging; } // since the start
  const PagingStats &paging() const { return paging_; }
  RepartitionStats &repartition() { return repartition_; }
  RepartitionStats repartition() const; // with the seconds in which loops were prepared until now
  double plan_seconds() const;          // of all loops
  ChainStats &chain_of(const std::string &name, std::int64_t loops); // references stay valid
  const std::deque<ChainStats> &chains() const { return chains_; }
  TiledChainStats &tiled_chain(const std::string &name, std::int64_t loops); // references stay valid
  const std::deque<TiledChainStats> &tiled_chains() const { return tiled_chains_; }
  void reset(); // zero the sums, keep the records

 private:
  TracingStats tracing_;
  ThreadTimes since_open_, at_reset_;
  WorkTimes work_;
  RepartitionStats repartition_;
  PagingStats paging_;
  std::deque<ChainStats> chains_;
  std::deque<TiledChainStats> tiled_chains_;
  std::deque<LoopStats> records_;
};

// The table for people, longest loop first. `threads` and `backend` go into the heading.
std::string timing_text(const StatsTable &table, const std::string &backend, int threads, double wall_seconds);
// "  threads worked 98.1 % and 97.3 % of the 12.345 s of the loops that they shared\n\n"; "" = there are none
std::string threads_text(const ThreadTimes &threads);
// Files of one process. division: NULL = one process. CSV: one row for each loop, one for each dat that it exchanges,
// one for each chain of one process, one for the division, one for op_repartition(), one for tracing, told apart by the
// column "record".
std::string timing_csv(const StatsTable &table, const std::string &backend, int threads, int rank,
                       const DivisionStats *division = nullptr);
std::string timing_json(const StatsTable &table, const std::string &backend, int threads, int rank, double wall_seconds,
                        const DivisionStats *division = nullptr);

} // namespace op2::core

// SPDX-License-Identifier: MIT
