// Chooses among several variants of one loop: the first calls try them, and the fastest is kept. The executor measures;
// this class chooses the next variant and the fastest one. Variants are numbered from 0.
//
// All calls of a variant come one after the other. Variants do not take turns, as the core's choices by time do
// (loop/choice/way_times): each needs lists of its own on the device, and the device holds those of one variant at a
// time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace op2::exec_cuda {

class Autotuner {
 public:
  Autotuner() = default; // nothing is measured, and variant 0 is taken
  // Measures if there are two or more variants. The first call of each variant makes lists, compiles and warms up, and
  // does not count.
  Autotuner(std::size_t variants, int calls_each)
      : best_(variants, std::numeric_limits<double>::infinity()), calls_each_(calls_each), measuring_(variants > 1) {}

  bool measuring() const { return measuring_; }
  std::size_t variant() const { return variant_; } // for the next call

  // Records the time of a call. note() and skip() return whether the measurement has ended.
  bool note(double seconds) {
    if (calls_ > 0) best_[variant_] = std::min(best_[variant_], seconds);
    return ++calls_ == calls_each_ && go_on();
  }
  // The current variant cannot be run.
  bool skip() {
    best_[variant_] = std::numeric_limits<double>::infinity();
    return go_on();
  }
  // Ends the measurement.
  void take(std::size_t variant) {
    variant_ = variant;
    measuring_ = false;
  }

  // "cuda atomics 12.5 us, cuda staged atomics 25.0 us": the best time of each. name(i): of a variant.
  template <class Name>
  std::string times(const Name &name) const {
    std::string out;
    for (std::size_t i = 0; i < best_.size(); ++i) {
      char time[40];
      std::snprintf(time, sizeof time, " %.1f us", 1e6 * best_[i]);
      out.append(i > 0 ? ", " : "").append(name(i)).append(time);
    }
    return out;
  }

 private:
  bool go_on() {
    calls_ = 0;
    if (++variant_ < best_.size()) return false;
    take(static_cast<std::size_t>(std::min_element(best_.begin(), best_.end()) - best_.begin()));
    return true;
  }

  std::vector<double> best_; // seconds, by variant
  int calls_each_ = 0, calls_ = 0;
  std::size_t variant_ = 0;
  bool measuring_ = false;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
