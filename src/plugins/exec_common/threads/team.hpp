// Whether all threads share the runs of a short loop, or the thread that calls runs the shares of all: what was faster
// lately. Threads that sleep take longer to wake than some loops take, and so do threads whose core somebody else has.
// Results have the same bits either way.
#pragma once

#include <algorithm>
#include <limits>

namespace op2::exec_threads {

// Each look compares a few runs of one way with a few of the other. Looks become rare.
class Team {
 public:
  bool alone() const { return alone_ != trying_; } // the next run
  // Whether that run, over so many elements, is to be timed; then note() must follow. Runs of parts of the loop are
  // not.
  bool timed(int elements) {
    if (elements > most_elements_) {
      most_elements_ = elements;
      trying_ = false;
      look_later(1);
    }
    return elements == most_elements_ && ++run_ > next_look_ - counted;
  }
  void note(double seconds) {
    const int since = trying_ ? run_ - next_look_ : run_ - (next_look_ - counted);
    double &best = trying_ ? other_ : usual_;
    if (!trying_ || since > warming) best = std::min(best, seconds);
    if (!trying_ && run_ == next_look_) return begin_trial();
    if (!trying_) return;
    if (since == 1 && seconds > hopeless * usual_) return end_trial(16);
    if (since == warming + counted) end_trial(4);
  }

 private:
  static constexpr int counted = 5;       // runs of each way
  static constexpr int warming = 2;       // before these: data move to the cores that work now
  static constexpr double longest = 5e-4; // seconds; whoever wakes in a longer loop has something to do
  static constexpr double hopeless = 2, must_save = 0.05;
  static constexpr int rarest = 1 << 14;

  void begin_trial() {
    trying_ = usual_ < longest;
    if (!trying_) look_later(16);
  }
  void end_trial(int factor) {
    trying_ = false;
    if (other_ < (1 - must_save) * usual_) alone_ = !alone_;
    look_later(factor);
  }
  void look_later(int factor) {
    spacing_ = std::min(spacing_ * factor, rarest);
    run_ = 0;
    next_look_ = spacing_;
    usual_ = other_ = std::numeric_limits<double>::infinity();
  }

  bool alone_ = false, trying_ = false;
  int most_elements_ = 0;
  int run_ = 0, spacing_ = 16, next_look_ = 16; // runs since the last look
  double usual_ = std::numeric_limits<double>::infinity(), other_ = usual_;
};

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
