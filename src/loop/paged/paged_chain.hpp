// A chain whose dats and maps are partly in a file: its work in units, each of which needs a part of the rows, with the
// steps that bring these rows into memory before the unit and give memory back after it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/chain/chain.hpp"
#include "loop/interpreter.hpp"
#include "loop/paged/paged_units.hpp"

namespace op2::core {

struct PagedChainOptions {
  double tile_bytes = 0; // of the rows of a tile; 0: by the caches
  Caches caches{1 << 20, 1 << 25};
};

class PagedChain {
 public:
  PagedChain(std::span<const ChainCall> calls, ChunkStore &pager, const PagedChainOptions &options);

  bool is(std::span<const ChainCall> calls) const { return chain_.is(calls); }
  bool goes_through(const Map &map) const { return chain_.goes_through(map); }
  bool fits() const { return why_.empty(); }
  // Why it cannot run in units; "" = it can.
  const std::string &why() const { return why_; }
  const Schedule &schedule() const { return schedule_; }
  Interpreter::Groups groups() const { return {groups_, &units_.pages()}; }
  const UnitPages &pages() const { return units_.pages(); }
  std::span<Loop *const> loops() const { return loops_; }
  bool verified = false;                   // by executor check
  void report(TiledChainStats &out) const; // what it is
  std::string text() const; // "9 loops, 400 tiles in 24 units, 68.0 MB read and 40.0 MB written in each run"

 private:
  bool find(double tile_bytes, ChunkStore &pager);

  std::vector<Loop *> loops_;
  Chain chain_;
  std::string why_;
  PagedUnits units_;
  Schedule schedule_;
  std::vector<std::unique_ptr<ExecutorChain>> groups_;
  int tiles_ = 0;
  double seconds_ = 0;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
