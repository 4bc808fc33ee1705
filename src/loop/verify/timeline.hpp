// When the elements of a chain's loops run by a schedule, and which of these moments come before others for certain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "loop/verify/fault.hpp"

namespace op2::core {

// The element number `at` that a list runs, counted through all its loops.
struct Moment {
  int list = 0;
  std::int64_t at = -1; // -1: never
  bool happened() const { return at >= 0; }
  bool operator==(const Moment &) const = default;
};

// One run of an element.
struct Run {
  Moment moment;
  op_exec_segment segment; // that it is in
  bool reduces = true;     // its reduced values are kept
};

enum class Kept : std::uint8_t { no, yes, wrong };

class Timeline {
 public:
  // Both must outlive the object.
  Timeline(const AccessedChain &chain, const ChainTiles &tiles);
  Timeline(const AccessedChain &chain, const ChainLists &lists);

  // What is wrong with the pieces and waits themselves.
  const std::optional<ScheduleFault> &fault() const { return fault_; }
  int lists() const { return static_cast<int>(steps_.size()); }
  // Calls body(element, runs) for all elements, in ascending order.
  void for_each_element(int loop, const std::function<void(int, std::span<const Run>)> &body) const;
  // Whether this run of the element keeps what it makes of the row. wrong: nothing says so.
  Kept keeps(int loop, const Run &run, int element, const RowAccess &access) const;
  // For certain, on any number of threads at any speed.
  bool before(const Moment &a, const Moment &b) const {
    if (a.list == b.list) return a.at < b.at;
    return a.at < done_[static_cast<std::size_t>(b.list)][static_cast<std::size_t>(a.list)];
  }
  int step_of(const Moment &moment) const; // of its list
  struct Origin {
    int loop, element;
  };
  Origin origin(const Moment &moment) const;

 private:
  struct Piece { // consecutive elements
    int loop;
    op_exec_segment segment;
    int list, step;
    std::int64_t at; // of the first element
    int begin() const { return segment.begin; }
    int end() const { return segment.end; }
  };
  void begin_list();
  void add(int loop, int step, const op_exec_segment &segment);
  void arrange();
  void need_blocks();
  void need_waits();
  void need_bits();
  const Piece &piece_of(const Moment &moment) const;
  int local_column(int loop, const RowAccess &access) const;

  const AccessedChain &chain_;
  const ChainLists *schedule_ = nullptr;
  std::vector<std::vector<Piece>> steps_;       // of each list, in the order in which they run
  std::vector<std::vector<Piece>> pieces_;      // of each loop, by their first elements
  std::vector<std::int64_t> ends_;              // elements that each list runs
  std::vector<std::vector<std::int64_t>> done_; // [list][other]: so much is done when the list begins
  std::optional<ScheduleFault> fault_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
