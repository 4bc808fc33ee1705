// Several processes: in which way a chain runs is measured, all ways in turn. All processes choose the same one, by the
// slowest of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/choice/way_times.hpp"

namespace op2::core {

struct LayerWay {
  int most = 0;               // layers of copies that a group may use; 0: loop after loop
  double tile_bytes = 0;      // of its rows, on this process; 0: loops of a group run one after the other
  std::int64_t groups = 0;    // of its loops
  bool tiles = false;         // of a size that is given
  int runs = 0;               // so far
  std::int64_t exchanges = 0; // of the last run
  bool out = false;           // it is not tried
  bool at_once = false;       // the executor gets the loops of a group together, whether or not that saves an exchange
  bool in_tiles() const { return tiles || tile_bytes > 0; }
};

class LayerChoice {
 public:
  using Largest = WayTimes::Largest;
  struct Run {              // of this process
    double seconds, waited; // of them for messages; negative: not measured
    std::int64_t exchanges, messages;
    bool settled = true; // else forms of loops were being compared, and its time says little; the same on all processes
  };

  // Loop after loop, until other ways are offered, after the first run.
  LayerChoice() : ways_(1) {}
  // measured: loop after loop is among them; else one of the others is taken.
  void add_candidates(std::span<const LayerWay> others, bool measured);
  // Loop after loop.
  void disable(std::string why);

  std::size_t now() const { return now_; } // the way of the next run; 0 = loop after loop
  const LayerWay &way(std::size_t number) const { return ways_[number]; }
  std::size_t ways() const { return ways_.size(); }
  // What the last run has taken; whether that makes a way the chosen one. Collective while ways are compared.
  bool record(const Run &run, const Largest &largest);
  bool offered() const { return offered_; }
  bool compares() const { return offered_ && (times_ ? times_->compares() : !decided_); }
  bool decided() const { return decided_; }              // though it may be looked at again
  const std::string &why() const { return why_; }        // it stays loop after loop; "" = it does not
  std::int64_t messages_apart() const { return apart_; } // of one run loop after loop, sent by this process
  // "; 5.2 ms loop after loop with 9 exchanges, 4.1 ms with 1 in tiles", of the last comparison that chose a way
  const std::string &figures() const { return figures_; }

 private:
  bool worth_a_trial(const Run &run, const Largest &largest);
  void compare();
  std::string measured() const;

  std::vector<LayerWay> ways_;
  std::optional<WayTimes> times_; // once ways are compared
  std::size_t now_ = 0, chosen_ = 0;
  std::int64_t apart_ = 0;
  int unsettled_ = 0;
  bool offered_ = false, decided_ = false;
  std::string why_, figures_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
