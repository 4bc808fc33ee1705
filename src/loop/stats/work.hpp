// The time that the elements of loops take on this process: what op_repartition() balances.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mesh/entities.hpp"

namespace op2::core {

// Of one loop, without exchanges, waiting and reductions.
class LoopWork {
 public:
  LoopWork(const Set &set, const std::string &loop) : set_(set), loop_(loop) {}
  const Set &set() const { return set_; }
  const std::string &loop() const { return loop_; }

  void add(double seconds) { seconds_ += seconds; } // a run
  // A run whose elements are measured in pieces. The less of two such runs counts: in the other one the process may
  // have had to wait for its core.
  void begin_sample();
  void add_piece(int begin, int end, double seconds);

  double seconds() const { return seconds_; } // since begin_anew()
  // Those of each own row, as the pieces tell; without pieces, the same for each.
  std::vector<double> of_rows() const;
  void begin_anew() { seconds_ = 0; }

 private:
  bool fits(const std::vector<float> &sample) const {
    return revision_ == set_.revision && sample.size() == static_cast<std::size_t>(set_.size);
  }

  const Set &set_;
  const std::string loop_;
  double seconds_ = 0;
  std::vector<float> last_, before_; // seconds of own rows in the last two samples; empty = none
  Revision revision_ = 0;            // of the set, to which they belong
};

class WorkTimes {
 public:
  LoopWork &of(const Set &set, const std::string &loop); // references stay valid
  const std::deque<LoopWork> &all() const { return loops_; }
  double seconds() const; // of all loops
  void begin_anew();
  // Whether loops measure elements in pieces; off until somebody wants to know.
  bool wants_pieces = false;

 private:
  std::deque<LoopWork> loops_;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
