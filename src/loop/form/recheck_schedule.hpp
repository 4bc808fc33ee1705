// When generated code is compared with the program's own again: often at first, later on as often as it costs little.
#pragma once

#include <algorithm>
#include <limits>

namespace op2::core {

class RecheckSchedule {
 public:
  static constexpr double share = 0.01; // of the loop's time that comparisons may take, beside the calls 2, 4, 8, ...

  // always: before each call.
  explicit RecheckSchedule(bool always) : always_(always), next_(always ? 1 : 2) {}
  bool always() const { return always_; }
  long calls() const { return calls_; }

  // The loop is called, in one of two ways: as a whole, so that it may be compared first, or in pieces. due(): it is to
  // be compared before this call.
  bool due() { return ++calls_ >= next_; }
  void passed() { ++calls_; }
  // One of the calls 2, 4, 8, ... is next, or has passed: the loop should run as a whole.
  bool waits() const { return calls_ + 1 >= doubled_; }

  // A comparison has ended before this call. seconds: it took; per_call: of a call so far, with what comparisons took, so
  // that these are `share` of all; 0 = not known.
  void compared(double seconds, double per_call) {
    spent_ += seconds;
    while (doubled_ <= calls_) doubled_ *= 2;
    next_ = always_ ? calls_ + 1 : doubled_;
    if (always_ || per_call <= 0) return;
    const double paid = spent_ / (share * per_call); // the call by which all comparisons are that share
    if (paid < static_cast<double>(doubled_)) next_ = std::max(calls_ + 1, static_cast<long>(paid));
  }
  void end() { next_ = doubled_ = std::numeric_limits<long>::max(); }

 private:
  bool always_;
  long calls_ = 0, next_, doubled_ = 2;
  double spent_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
