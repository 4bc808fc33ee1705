// The loops of a group as the inspector of tiles sees them (loop/tiles/segments.hpp): each part of a loop, in the order
// in which its elements run, with the core apart from what lies behind it.
#pragma once

#include <list>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "loop/chain/threaded.hpp"
#include "loop/tiles/segments.hpp"

namespace op2::core {

class Stretches {
 public:
  // by_data: reaches tell the data of a set apart.
  Stretches(std::span<Loop *const> loops, bool by_data);
  Stretches(const Stretches &) = delete; // loops point to columns
  Stretches &operator=(const Stretches &) = delete;

  std::span<const ChainLoop> loops() const { return described_; }
  std::span<const int> rows() const { return rows_; }         // of each set that they reach
  std::span<const int> in_order() const { return in_order_; } // of them, those that have a place by their number
  std::vector<char> needing_copies() const;                   // of each stretch
  bool needs_copies(int stretch) const { return stretches_[static_cast<std::size_t>(stretch)].needs_copies; }
  // For threads, on which each part of a loop that reduces must be one stretch.
  std::vector<ChainPart> parts(std::span<Loop *const> loops) const;
  bool cuts_sums() const { return cuts_sums_; }
  // A step of a stretch as steps of its loop.
  void add_steps(const Step &step, std::vector<Step> &out) const;

 private:
  using Elements = std::vector<int>;
  struct Stretch {
    int loop, part;
    const Elements *order; // NULL: the elements with the numbers 0, 1, ...
    bool needs_copies;
  };
  void add(const Loop &loop, int number);
  void add_part(const Loop &loop, int number, int part);
  void describe(const Loop &loop, const Stretch &stretch, int size, std::vector<int> cuts);
  void reach(const Loop &loop, const Stretch &stretch, ChainLoop &described);
  int number_of(const Set &set);
  const Elements &order_of(const Set &set, int begin, int end, const PlanCache::Sequence *sequence);
  const int *column_in(const Elements &order, const int *column, int step);

  std::vector<ChainLoop> described_;
  std::vector<Stretch> stretches_; // of each
  const bool by_data_;
  bool cuts_sums_ = false;
  std::vector<int> rows_, in_order_;
  std::map<const Set *, int> numbers_;
  std::vector<const Dat *> changed_;
  std::map<std::tuple<const Set *, int, int, const void *>, Elements> orders_;
  std::map<std::pair<const Elements *, const int *>, std::vector<int>> columns_; // by orders
  std::list<std::vector<int>> cuts_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
