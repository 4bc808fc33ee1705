#include "loop/verify/checked_chains.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "loop/tiles/borders.hpp"
#include "loop/chain/chain.hpp"
#include "loop/threads/phases.hpp"
#include "loop/verify/fault_text.hpp"

namespace op2::core {

namespace {

constexpr double small_tile = 4096; // bytes of its rows
constexpr int few_tiles = 3, most_tiles = 40;
constexpr int threads[] = {2, 5};
constexpr int many_threads = 16; // for which chains are cut
constexpr std::size_t most_known = 256;

// The loops as the program declared them.
class Accesses {
 public:
  explicit Accesses(std::span<const ChainCall> calls, std::span<const ChainLoop> described) {
    for (std::size_t l = 0; l < calls.size(); ++l) {
      const LoopSignature &what = calls[l].loop->signature();
      AccessedLoop &loop = chain_.loops.emplace_back(AccessedLoop{what.set.size, {}, described[l].cuts});
      for (const LoopArg &arg : what.args)
        if (arg.dat) add(arg, loop);
    }
  }
  const AccessedChain &chain() const { return chain_; }
  std::span<Dat *const> dats() const { return dats_; }

 private:
  void add(const LoopArg &arg, AccessedLoop &loop) {
    const auto known = std::ranges::find(dats_, arg.dat);
    const int dat = static_cast<int>(known - dats_.begin());
    if (known == dats_.end()) {
      dats_.push_back(arg.dat);
      chain_.rows.push_back(arg.dat->on().rows());
    }
    if (!arg.map) loop.accesses.push_back({dat, arg.access});
    for (int c = arg.column; arg.map && c < arg.column + std::max(arg.count, 1); ++c)
      loop.accesses.push_back({dat, arg.access, column_of(arg.map->table.data(), c), arg.map->dim, arg.map->index, c});
  }
  AccessedChain chain_;
  std::vector<Dat *> dats_;
};

// As executor openmp does: loops that write through maps are dealt out by rows if elements may run twice.
bool deal_by_rows(const AccessedLoop &accessed, ChainLoop &loop, ChainColumns &columns) {
  const auto changed = [](const RowAccess &a) { return a.access != OP_READ; };
  const auto through = [&](const RowAccess &a) { return changed(a) && a.column; };
  if (std::ranges::none_of(accessed.accesses, through)) return true;
  for (const RowAccess &a : accessed.accesses) {
    if (changed(a) && (a.access == OP_RW || (!a.column && a.access != OP_WRITE))) return false;
    for (const RowAccess &b : accessed.accesses)
      if (changed(a) && &a != &b && a.dat == b.dat && (!a.column || !b.column || a.access != b.access)) return false;
  }
  std::vector<int> dats;
  for (const RowAccess &a : accessed.accesses)
    if (through(a) && std::ranges::find(dats, a.dat) == dats.end()) dats.push_back(a.dat);
  for (const int dat : dats) { // a group for each
    for (const RowAccess &a : accessed.accesses) {
      if (!through(a) || a.dat != dat) continue;
      const auto reach = std::ranges::find_if(loop.reaches, [&](const Reach &r) { return r.column == a.column; });
      columns.map.push_back(a.map);
      columns.column.push_back(a.number);
      columns.reach.push_back(static_cast<int>(reach - loop.reaches.begin()));
    }
    columns.group_offset.push_back(static_cast<int>(columns.reach.size()));
  }
  loop.runs_of_element = ElementRuns::by_rows;
  return true;
}

class Check {
 public:
  Check(std::span<const ChainCall> calls, const Chain &chain, const std::string &name, std::size_t &at)
      : calls_(calls), chain_(chain), at_(at), accesses_(calls, chain.described()) {
    names_.chain = name;
    for (const ChainCall &call : calls) {
      names_.loops.push_back(call.loop->name());
      names_.elements.push_back(call.loop->signature().set.label);
    }
    for (const Dat *dat : accesses_.dats()) {
      names_.dats.push_back(dat->label);
      names_.rows.push_back(dat->on().label);
    }
    by_rows_.assign(chain.described().begin(), chain.described().end());
    columns_.resize(by_rows_.size());
    for (std::size_t l = 0; l < by_rows_.size(); ++l)
      on_threads_ = deal_by_rows(accesses_.chain().loops[l], by_rows_[l], columns_[l]) && on_threads_;
  }

  void tiles(int wanted) {
    ReachTables tables;
    if (const std::optional<ChainTiles> tiles = tile_by_borders(chain_.described(), chain_.rows(), wanted, tables))
      look_at(*tiles);
    look_at(tile_chain(chain_.described(), chain_.rows(), wanted));
    if (on_threads_) look_at_phases(wanted);
  }
  std::string text() const {
    return core::text(pieces_, " pieces of ", schedules_, " schedules", on_threads_ ? "" : ", none of them on threads");
  }

 private:
  // Threads that would have unequal work meet in between.
  void look_at_phases(int wanted) {
    const std::vector<ChainPhase> phases = phase_chain(by_rows_, chain_.rows(), many_threads, most_uneven_phase);
    if (phases.size() < 2) return;
    for (const ChainPhase &phase : phases) {
      const std::size_t count = phase.last - phase.first;
      const std::span<const ChainLoop> loops = std::span(by_rows_).subspan(phase.first, count);
      const ChainTiles tiles = tile_chain(loops, chain_.rows(), wanted);
      const ChainLists lists = list_chain(loops, std::span(columns_).subspan(phase.first, count), tiles, phase.parts);
      AccessedChain accesses{accesses_.chain().rows, {}};
      for (std::size_t l = phase.first; l < phase.last; ++l) accesses.loops.push_back(accesses_.chain().loops[l]);
      std::optional<ScheduleFault> fault = find_fault(accesses, lists);
      if (fault)
        for (ScheduleFault::Place *place : {&fault->earlier, &fault->later})
          if (place->loop >= 0) place->loop += static_cast<int>(phase.first);
      note(fault,
           core::text(tiles.tiles(), " tiles of loops ", phase.first, " to ", phase.last - 1, " on ", many_threads,
                      " threads"),
           lists.steps.size());
    }
  }
  void look_at(const ChainTiles &tiles) {
    const std::string text = core::text(tiles.tiles(), " tiles");
    note(find_fault(accesses_.chain(), tiles), text, tiles.steps.size());
    if (!on_threads_) return;
    for (const int count : threads) {
      const ChainLists lists = list_chain(by_rows_, columns_, tiles, part_chain(by_rows_, chain_.rows(), count));
      note(find_fault(accesses_.chain(), lists), core::text(text, " on ", count, " threads"), lists.steps.size());
    }
  }
  void note(std::optional<ScheduleFault> fault, const std::string &schedule, std::size_t pieces) {
    ++schedules_;
    pieces_ += pieces;
    if (!fault) return;
    at_ = static_cast<std::size_t>(std::max({fault->later.loop, fault->earlier.loop, 0}));
    for (ScheduleFault::Place *place : {&fault->earlier, &fault->later})
      if (place->loop >= 0 && place->element >= 0)
        place->element = declared(calls_[static_cast<std::size_t>(place->loop)].loop->signature().set, place->element);
    if (fault->dat >= 0)
      fault->row = declared(accesses_.dats()[static_cast<std::size_t>(fault->dat)]->on(), fault->row);
    fail(OP_ERR_CHECK, fault_text(*fault, names_, schedule));
  }
  static int declared(const Set &set, int number) { return static_cast<int>(ElementNumbers(set).of(number)); }

  std::span<const ChainCall> calls_;
  const Chain &chain_;
  std::size_t &at_; // the loop with a fault
  Accesses accesses_;
  ChainNames names_;
  std::vector<ChainLoop> by_rows_;
  std::vector<ChainColumns> columns_;
  bool on_threads_ = true;
  std::size_t pieces_ = 0;
  int schedules_ = 0;
};

} // namespace

std::string CheckedChains::verify(std::span<const ChainCall> calls, const std::string &name, std::size_t &at) {
  std::vector<const Loop *> loops;
  for (const ChainCall &call : calls) loops.push_back(call.loop);
  if (std::ranges::find(verified_, loops) != verified_.end()) return "";
  const Chain chain(calls, 1, Caches{0, 0});
  std::string out = text("no schedule, ", chain.why());
  if (chain.why().empty()) {
    Check check(calls, chain, name, at);
    check.tiles(few_tiles);
    check.tiles(static_cast<int>(std::clamp(chain.bytes() / small_tile, 2.0, double{most_tiles})));
    if (tile_bytes_ > 0) check.tiles(static_cast<int>(std::min(chain.bytes() / tile_bytes_ + 1, 60000.0)));
    out = check.text();
  }
  if (verified_.size() == most_known) verified_.clear();
  verified_.push_back(std::move(loops));
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
