// The time that the elements of sets take on this process: what op_repartition() balances.
#pragma once

#include <deque>
#include <vector>

#include "mesh/entities.hpp"

namespace op2::core {

// Of one set, since somebody has looked at it.
class SetWork {
 public:
  explicit SetWork(const Set &set) : set_(set) {}
  const Set &set() const { return set_; }

  // A run of a loop: without exchanges, waiting and reductions.
  void add(double seconds) { alike_ += seconds; }
  // A run whose elements are measured in pieces now and then, each with add_piece().
  void add_in_pieces(double seconds) { in_pieces_ += seconds; }
  void add_piece(int begin, int end, double seconds);

  double seconds() const { return alike_ + in_pieces_; }
  // The seconds of each own row, as far as pieces tell; the rest is the same for each.
  std::vector<double> of_rows() const;
  void begin_anew(); // pieces of before count half

 private:
  const Set &set_;
  double alike_ = 0, in_pieces_ = 0;
  std::vector<double> sample_; // seconds of own rows in the pieces that were measured; empty = none
  Revision revision_ = 0;      // of the set, to which they belong
};

class WorkTimes {
 public:
  SetWork &of(const Set &set); // references stay valid
  const std::deque<SetWork> &all() const { return sets_; }
  double seconds() const; // of all sets
  void begin_anew();
  // Whether loops measure elements in pieces; off until somebody wants to know.
  bool wants_pieces = false;

 private:
  std::deque<SetWork> sets_;
};

} // namespace op2::core
