// The units of a chain whose dats and maps are partly in a file: pieces of its work that run one after the other, with
// the steps that bring their rows into memory before they run and give memory back afterwards.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loop/interpreter.hpp"
#include "loop/paged/paged_work.hpp"

namespace op2::core {

class PagedUnits {
 public:
  // Cuts the work of these loops into units. kept: bytes that are always in memory (mesh/paged/kept_rows.hpp). False: a
  // piece needs more memory than there is.
  bool find(const PagedWork &work, std::span<Loop *const> loops, ChunkStore &pager, std::size_t kept = 0);
  // All of the work, which is that of find().
  void add_steps(const PagedWork &work, Schedule &schedule, std::vector<std::unique_ptr<ExecutorChain>> &groups) const;

  const UnitPages &pages() const { return pages_; } // for these steps; begin() comes before
  std::size_t count() const { return pages_.units.size(); }
  std::string text() const; // "24 units, 68.0 MB read and 40.0 MB written in each run"

 private:
  bool cut(const PagedWork &work, ChunkUses &uses, std::int64_t limit, int units);

  std::vector<int> borders_; // as pieces of work
  std::vector<UnitUses> uses_;
  UnitPages pages_;
  double loaded_ = 0, stored_ = 0; // bytes in each run
};

// Tries tiles with so many bytes of rows, then smaller ones, until find(bytes) says that their units fit.
bool find_tile_size(double bytes, const ChunkStore &pager, const std::function<bool(double)> &find);

} // namespace op2::core
// SPDX-License-Identifier: MIT
